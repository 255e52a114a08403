// The runner flags (spec C.3). Those of the back ends in the tree come from their own tables.
#include "cli/arg_group.h"

namespace polygraphy::cli {

extern const ArgGroup args_runners;
constinit const ArgGroup args_runners = {
    .title = "Runners",
    .summary = "The engines to run, in this order; each may be given more than once.",
    .options = {},
    .from_backends = FromBackends::kRunnerFlags};

}  // namespace polygraphy::cli
