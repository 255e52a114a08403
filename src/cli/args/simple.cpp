#include "cli/args/simple.h"

#include "base/arrays/numpy_text.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/syntax/per_output_args.h"
#include "cli/syntax/value_parsing.h"

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
     .help = "Save pictures of the absolute and relative errors (SVG, for any browser) in this "
             "folder: the last two dimensions are height and width.",
     .type = ValueType::kFolder,
     .metavar = "FOLDER",
     .functions = kFunction},
    {.spellings = "--show-heatmaps",
     .help = "Print the errors as pictures made of characters, the worst four of each output.",
     .arity = Arity::kFlag,
     .functions = kFunction},
    {.spellings = "--save-error-metrics-plot",
     .help = "Save plots of the errors over the magnitude of the values (SVG) in this folder.",
     .type = ValueType::kFolder,
     .metavar = "FOLDER",
     .functions = kFunction},
    {.spellings = "--show-error-metrics-plot",
     .help = "Print these plots, made of characters.",
     .arity = Arity::kFlag,
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

namespace {

// Whether the terminal shows characters beyond ASCII: what the locale's variables say, in the order
// in which they count. What goes to a file or a pipe is plain.
bool shows_shades(const Environment& env) {
  if (!env.out.terminal()) return false;
  for (const std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = to_lower(env.variable(name));
    if (value.empty()) continue;
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

PictureOptions resolve_pictures(const ParsedArgs& args, const Environment& env) {
  PictureOptions pictures;
  pictures.save_heatmaps = env.path(args.text("--save-heatmaps").value_or(""));
  pictures.show_heatmaps = args.has("--show-heatmaps");
  pictures.save_error_plot = env.path(args.text("--save-error-metrics-plot").value_or(""));
  pictures.show_error_plot = args.has("--show-error-metrics-plot");
  pictures.text_columns = env.columns;
  pictures.text_shades = shows_shades(env);
  return pictures;
}

}  // namespace

void resolve_simple(const ParsedArgs& args, const Environment& env, MetricOptions& options) {
  options.pictures = resolve_pictures(args, env);
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
