// Changing outputs before they are compared (spec C.17): known, not there yet.
#include "cli/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--postprocess --postprocess-func",
     .arity = Arity::kOneOrMore,
     .support = Support::kLater},
    {.spellings = "--postprocess-func-script",
     .type = ValueType::kPath,
     .support = Support::kLater},
};

}  // namespace

extern const ArgGroup args_postprocessing;
constinit const ArgGroup args_postprocessing = {
    .title = "Comparator Postprocessing", .summary = {}, .options = kOptions};

}  // namespace polygraphy::cli
