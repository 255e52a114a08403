// Options of comparison functions that are not there yet (spec C.20; delta §4). With a function
// that is there they are ignored with a warning, as in the original.
#include "cli/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--index-tolerance",
     .arity = Arity::kOneOrMore,
     .support = Support::kLater,
     .functions = "indices"},
    {.spellings = "--l2-threshold --l2-tolerance",
     .arity = Arity::kOneOrMore,
     .support = Support::kLater,
     .functions = "l2 distance_metrics"},
    {.spellings = "--cosine-similarity-threshold",
     .arity = Arity::kOneOrMore,
     .support = Support::kLater,
     .functions = "cosine_similarity distance_metrics"},
    {.spellings = "--psnr-threshold --psnr-tolerance",
     .arity = Arity::kOneOrMore,
     .support = Support::kLater,
     .functions = "psnr quality_metrics"},
    {.spellings = "--snr-threshold --snr-tolerance",
     .arity = Arity::kOneOrMore,
     .support = Support::kLater,
     .functions = "snr quality_metrics"},
    {.spellings = "--lpips-threshold --lpips-tolerance",
     .arity = Arity::kOneOrMore,
     .support = Support::kLater,
     .functions = "perceptual_metrics"},
};

}  // namespace

extern const ArgGroup args_other_functions;
constinit const ArgGroup args_other_functions = {
    .title = "Other comparison functions", .summary = {}, .options = kOptions};

}  // namespace polygraphy::cli
