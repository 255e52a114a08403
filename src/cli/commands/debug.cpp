// `polygraphy debug`: the group of what narrows failures down.
#include "cli/args/logging.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern const Command command_debug;
constinit const Command command_debug = {
    .path = "debug",
    .summary = "Narrow a failure down.",
    .description = "Make something, check it, and go on depending on the verdict.",
    .order = 70,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
