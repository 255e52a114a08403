#include "cli/args/noise.h"

#include <fmt/format.h>

#include "base/error.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--noise-floor",
     .help = "Instead of comparing with tolerances, hold each output's error against the one that "
             "a correct runtime of this format must have, measured by stochastic rounding. "
             "Default: auto, what the options of the runner say, else float32.",
     .arity = Arity::kOptional,
     .choices = kFormatChoices,
     .origin = Origin::kOurs},
    {.spellings = "--noise-runs",
     .help = "How often the model is evaluated with stochastic rounding. Default: 3.",
     .type = ValueType::kInt,
     .origin = Origin::kOurs},
    {.spellings = "--noise-threshold",
     .help = "Errors up to this many times the noise are none. Default: 3.",
     .type = ValueType::kFloat,
     .origin = Origin::kOurs},
};

}  // namespace

constinit const ArgGroup args_noise = {.title = "Noise",
                                       .summary = "The error that a format of numbers must have.",
                                       .options = kOptions};

std::optional<NumberFormat> resolve_format(std::string_view choice) {
  return choice == kAutomaticFormat ? std::nullopt : parse_number_format(choice);
}

void resolve_noise(const ParsedArgs& args, int64_t& runs, double& threshold) {
  if (const auto given = args.integer("--noise-runs")) runs = *given;
  if (runs < 2)
    throw Error(fmt::format("--noise-runs {} is too few: one evaluation shows no spread", runs),
                "Give 2 or more.");
  if (const auto given = args.number("--noise-threshold")) threshold = *given;
  if (!(threshold >= 1))
    throw Error(fmt::format("--noise-threshold {} is below the noise itself", threshold),
                "Give 1 or more.");
}

}  // namespace polygraphy::cli
