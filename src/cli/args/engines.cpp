// Stands where the back ends' own groups of options come in a command.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

extern const ArgGroup args_engines;
constinit const ArgGroup args_engines = {
    .title = {}, .summary = {}, .options = {}, .from_backends = FromBackends::kOptions};

}  // namespace polygraphy::cli
