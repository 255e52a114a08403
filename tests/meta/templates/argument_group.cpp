#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--meta-probe-option",
     .help = "Proves that groups are found.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
};

}  // namespace

extern constinit const ArgGroup args_meta_probe = {
    .title = "Meta Probe", .summary = "Options of a probe.", .options = kOptions};

}  // namespace polygraphy::cli
