// `polygraphy debug`: the group of what narrows failures down.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_debug = {
    .path = "debug",
    .summary = "Find the cause of a failure.",
    .description = "Produce a model or engine, check it, and continue depending on the verdict.",
    .order = 70,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
