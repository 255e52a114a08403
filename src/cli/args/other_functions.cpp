#include "cli/args/other_functions.h"

#include "base/arrays/numpy_text.h"
#include "base/error.h"
#include "cli/syntax/per_output_args.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--index-tolerance",
     .help = "indices: how many places a value may have moved, for all outputs or for one: 2 "
             "top5:1. So many values at the end of each row are not looked at. Default: 0.",
     .arity = Arity::kOneOrMore,
     .metavar = "PLACES",
     .functions = "indices"},
    {.spellings = "--l2-threshold --l2-tolerance",
     .help = "l2: the largest distance that passes, for all outputs or for one: 1e-3 logits:1e-2. "
             "Default: 1e-5.",
     .arity = Arity::kOneOrMore,
     .metavar = "DISTANCE",
     .functions = "l2 distance_metrics"},
    {.spellings = "--cosine-similarity-threshold",
     .help = "cosine_similarity: the smallest cosine that passes. Default: 0.997.",
     .arity = Arity::kOneOrMore,
     .metavar = "COSINE",
     .functions = "cosine_similarity distance_metrics"},
    {.spellings = "--psnr-threshold --psnr-tolerance",
     .help = "psnr: the smallest ratio of peak to error that passes, in decibels. Default: 30.",
     .arity = Arity::kOneOrMore,
     .metavar = "DB",
     .functions = "psnr quality_metrics"},
    {.spellings = "--snr-threshold --snr-tolerance",
     .help = "snr: the smallest ratio of signal to error that passes, in decibels. Default: 20.",
     .arity = Arity::kOneOrMore,
     .metavar = "DB",
     .functions = "snr quality_metrics"},
    {.spellings = "--lpips-threshold --lpips-tolerance",
     .help = "perceptual_metrics: the largest LPIPS that passes. Default: 0.1.",
     .arity = Arity::kOneOrMore,
     .metavar = "LPIPS",
     .functions = "perceptual_metrics"},
};

// Metrics and their options.
constexpr std::pair<std::string_view, std::string_view> kThresholds[] = {
    {"l2", "--l2-threshold"},
    {"cosine_similarity", "--cosine-similarity-threshold"},
    {"psnr", "--psnr-threshold"},
    {"snr", "--snr-threshold"},
    {"perceptual_metrics", "--lpips-threshold"},
};

}  // namespace

constinit const ArgGroup args_other_functions = {
    .title = "Other Comparison Functions",
    .summary = "One figure per output against a threshold, or positions in lists.",
    .options = kOptions};

void resolve_other_functions(const ParsedArgs& args, MetricOptions& options) {
  for (const auto& [metric, option] : kThresholds) {
    if (args.has(option)) {
      options.thresholds.set(std::string(metric), numbers_per_output(args, option));
    }
  }
  options.index_tolerance = integers_per_output(args, "--index-tolerance");
  for (const auto& [output, places] : options.index_tolerance) {
    if (places >= 0) continue;
    throw Error("--index-tolerance must not be negative, but was: " + std::to_string(places) +
                (output.empty() ? "" : " (output " + py_str_repr(output) + ")"));
  }
}

}  // namespace polygraphy::cli
