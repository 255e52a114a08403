#include "cli/args/simple.h"

#include "base/error.h"
#include "base/numpy_text.h"
#include "cli/per_output_args.h"
#include "cli/values.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kFunction = "simple";

constexpr Option kOptions[] = {
    {.spellings = "--rtol --rel-tol",
     .help =
         "Relative tolerance, for all outputs or for one: 1e-3 probabilities:1e-2. Default: 1e-5.",
     .arity = Arity::kOneOrMore,
     .metavar = "[OUTPUT:]TOLERANCE",
     .functions = kFunction},
    {.spellings = "--atol --abs-tol",
     .help = "Absolute tolerance, in the same way. Default: 1e-5. An element that is within either "
             "passes.",
     .arity = Arity::kOneOrMore,
     .metavar = "[OUTPUT:]TOLERANCE",
     .functions = kFunction},
    {.spellings = "--check-error-stat",
     .help = "What must be within the tolerances: elemwise (every element, the default), or the "
             "max, mean, median or quantile of the errors.",
     .arity = Arity::kOneOrMore,
     .metavar = "[OUTPUT:]STATISTIC",
     .functions = kFunction},
    {.spellings = "--infinities-compare-equal",
     .help =
         "Infinities of the same sign are equal; otherwise their difference is NaN, which fails.",
     .arity = Arity::kFlag,
     .functions = kFunction},
    {.spellings = "--save-heatmaps",
     .type = ValueType::kFolder,
     .support = Support::kLater,
     .functions = kFunction},
    {.spellings = "--show-heatmaps",
     .arity = Arity::kFlag,
     .support = Support::kLater,
     .functions = kFunction},
    {.spellings = "--save-error-metrics-plot",
     .type = ValueType::kFolder,
     .support = Support::kLater,
     .functions = kFunction},
    {.spellings = "--show-error-metrics-plot",
     .arity = Arity::kFlag,
     .support = Support::kLater,
     .functions = kFunction},
    {.spellings = "--error-quantile",
     .help = "The quantile that --check-error-stat quantile checks. Default: 0.99.",
     .arity = Arity::kOneOrMore,
     .metavar = "[OUTPUT:]QUANTILE",
     .functions = kFunction},
};

}  // namespace

constinit const ArgGroup args_simple = {
    .title = "Comparison Function: `simple`",
    .summary = "Absolute and relative errors against tolerances.",
    .options = kOptions};

void resolve_simple(const ParsedArgs& args, MetricOptions& options) {
  options.rtol = numbers_per_output(args, "--rtol");
  options.atol = numbers_per_output(args, "--atol");
  for (const auto& [output, quantile] : numbers_per_output(args, "--error-quantile")) {
    options.error_quantile.set(output, quantile.value);
  }
  for (const auto& [output, quantile] : options.error_quantile) {
    if (quantile >= 0 && quantile <= 1) continue;
    throw Error("--error-quantile: " + py_float_repr(quantile) + " is not between 0 and 1" +
                (output.empty() ? "" : " (output " + py_str_repr(output) + ")"));
  }
  for (const auto& [output, statistic] : parse_key_values(args.list("--check-error-stat"))) {
    if (statistic != "max" && statistic != "mean" && statistic != "median" &&
        statistic != "elemwise" && statistic != "quantile") {
      throw Error("Invalid choice for check_error_stat: " + statistic + ".",
                  "Note: Valid choices are: ['max', 'mean', 'median', 'elemwise', 'quantile']");
    }
    options.check_error_stat.set(output, statistic);
  }
  options.infinities_compare_equal = args.has("--infinities-compare-equal");
}

}  // namespace polygraphy::cli
