// The original's runner of numpy references for a few operators: known, no back end yet.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--pluginref", .arity = Arity::kFlag, .selects_runner = true},
};

}  // namespace

extern const ArgGroup args_pluginref;
constinit const ArgGroup args_pluginref = {.title = "Reference runner",
                                           .summary = {},
                                           .options = kOptions,
                                           .absent_engine = "The pluginref runner"};

}  // namespace polygraphy::cli
