// `polygraphy task merge`.
#include <filesystem>

#include "base/os/paths.h"
#include "cli/driver.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"
#include "tasks/distribute.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_task_plan}};

// The command goes on where its tasks are: all of them have results.
int run_command(Session& session) {
  Environment& env = session.env();
  const TaskPlan plan = TaskPlan::open(env.path(*session.args().text("--plan")));
  require_results(plan, TaskFolder(folder_of(plan.path())));
  require_same_files(plan);
  Environment again = env;
  again.root = plan.job().folder;
  again.merged_tasks = std::filesystem::absolute(folder_of(plan.path())).native();
  return run_command_line(again, plan.job().command);
}

}  // namespace

extern constinit const Command command_task_merge = {
    .path = "task merge",
    .summary = "Merge the results of a plan, as the command that wrote it would.",
    .description =
        "Merge the results of the tasks, and print and write them as the command that wrote the "
        "plan would: for commands with --detach, and for plans that others ran.",
    .examples =
        "polygraphy task merge --plan polygraphy_tasks/5f0c.jsonl\n"
        "polygraphy task merge --plan polygraphy_tasks/5f0c.jsonl --silent",
    .order = 3,
    .groups = kGroups,
    .failure = kCouldNotRun,
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
