// `polygraphy template`: the group.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_template = {
    .path = "template",
    .summary = "Write Python scripts and hints as starting points.",
    .description =
        "Write starting points: Python scripts, for the original's Python packages, and "
        "hints for multi-device shard.",
    .order = 60,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
