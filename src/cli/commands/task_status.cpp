// `polygraphy task status`.
#include "tasks/task_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/paths.h"
#include "base/text.h"
#include "base/visible_text.h"
#include "cli/args/logging.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr size_t kMostNamed = 10;

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "plan",
     .help = "A plan, or a folder of plans: --tasks of the command that wrote them.",
     .type = ValueType::kPath,
     .files = FileUse::kRead,
     .required = true},
};

std::vector<std::string> plans_of(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return {path};
  std::vector<std::string> plans;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed)) {
    if (entry.path().extension() == ".jsonl") plans.push_back(entry.path().native());
  }
  if (failed) throw IoError("cannot read " + path + ": " + failed.message());
  if (plans.empty()) throw Error("There is no plan in " + path, "Give the folder of --tasks.");
  std::ranges::sort(plans);
  return plans;
}

int run_command(Session& session) {
  bool all = true, any_failed = false;
  for (const std::string& path : plans_of(session.env().path(*session.args().text("plan")))) {
    const TaskPlan plan = TaskPlan::open(path);
    const TaskStatus status = status_of(plan, TaskFolder(folder_of(path)));
    std::string text = path + ": " + to_text(status);
    for (size_t i = 0; i < std::min(status.failed.size(), kMostNamed); ++i) {
      const auto& [index, failure] = status.failed[i];
      text += fmt::format("\n    Task {} on {}{}: {}", index, failure.host,
                          failure.final ? "" : ", to be tried again", failure.reason);
    }
    text += and_more(status.failed.size(), kMostNamed, "\n    ... ");
    std::string storage;
    session.env().out.write(std::string(visible(text, storage)) + "\n");
    all &= status.complete();
    any_failed |= !status.failed.empty();
  }
  return all || !any_failed ? kAgrees : kDiffers;
}

}  // namespace

extern const Command command_task_status;
constinit const Command command_task_status = {
    .path = "task status",
    .summary = "Show how far the tasks of a plan are.",
    .description =
        "Show how many tasks are done, running and failed, and why. Reads the folder of the plan "
        "only, so it works on every machine that sees it. Exit code: 1 if tasks have failed.",
    .examples =
        "polygraphy task status polygraphy_tasks\n"
        "polygraphy task status polygraphy_tasks/5f0c.jsonl",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .run = run_command,
};

}  // namespace polygraphy::cli
