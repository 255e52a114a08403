#include "cli/args/noise.h"

#include "cli/syntax/arg_group.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--noise-floor",
     .help = "Compare each output's error with the rounding noise of this format, measured by "
             "stochastic rounding, instead of with tolerances. Default: auto (the coarser of both "
             "runners' precisions).",
     .arity = Arity::kOptional,
     .choices = kFormatChoices,
     .origin = Origin::kOurs},
    {.spellings = "--noise-runs",
     .help = "Number of evaluations with stochastic rounding. Default: 3.",
     .type = ValueType::kInt,
     .origin = Origin::kOurs,
     .needs = "--noise-floor"},
    {.spellings = "--quantization-noise",
     .help = "Count the rounding of quantised weights and activations as noise, too: to compare a "
             "quantised model with the outputs of its float model.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs,
     .needs = "--noise-floor"},
    {.spellings = "--noise-threshold",
     .help = "Pass errors of up to this multiple of the noise floor. Default: 3.",
     .type = ValueType::kFloat,
     .origin = Origin::kOurs,
     .needs = "--noise-floor"},
};

}  // namespace

extern constinit const ArgGroup args_noise = {
    .title = "Noise",
    .summary = "Unavoidable rounding errors of a number format.",
    .options = kOptions};

void resolve_noise(const ParsedArgs& args, int64_t& runs, double& threshold) {
  runs = args.integer("--noise-runs").value_or(runs);
  threshold = args.number("--noise-threshold").value_or(threshold);
  require_noise(runs, threshold);
}

}  // namespace polygraphy::cli
