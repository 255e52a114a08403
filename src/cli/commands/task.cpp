// `polygraphy task`: the group of commands about tasks of other commands.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_task = {
    .path = "task",
    .summary = "Run, watch and merge the tasks of a command on many machines.",
    .description =
        "Commands with --on cut their work into tasks, which a scheduler runs. Its workers use "
        "these commands to execute tasks, and users to see their progress and merge their results.",
    .order = 100,
    .groups = kGroups,
    .failure = kCouldNotRun,
};

}  // namespace polygraphy::cli
