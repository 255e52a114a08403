// `polygraphy template`: the group.
#include "cli/args/logging.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern const Command command_template;
constinit const Command command_template = {
    .path = "template",
    .summary = "Write Python scripts as starting points.",
    .description = "Write Python scripts as starting points, for the original's Python packages.",
    .order = 60,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
