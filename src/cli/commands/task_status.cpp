// `polygraphy task status`.
#include "tasks/task_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/os/paths.h"
#include "base/text.h"
#include "base/visible_text.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {
namespace {

constexpr size_t kMostNamed = 10;

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "plan",
     .help = "A plan, or a folder of plans: --tasks of the command that wrote them.",
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

// Of a task that has failed and was tried once, the failure says all.
std::vector<std::string> lines_of(const TaskStatus& status) {
  std::vector<std::string> lines;
  for (const auto& [index, failure] : status.failed) {
    lines.push_back(fmt::format("Task {} on {}{}: {}", index, failure.host,
                                failure.final ? "" : ", to be tried again", failure.reason));
  }
  for (const auto& [index, attempts] : status.tried) {
    const bool failed =
        std::ranges::count(status.failed, index, &std::pair<int64_t, TaskFailure>::first) > 0;
    if (failed && attempts.size() == 1) continue;
    std::string line =
        fmt::format("Task {} was tried {} in vain", index,
                    attempts.size() == 1 ? "once" : std::to_string(attempts.size()) + " times");
    for (const TaskAttempt& attempt : attempts)
      line += fmt::format("\n        on {}: {}", attempt.host, attempt.reason);
    lines.push_back(std::move(line));
  }
  return lines;
}

int run_command(Session& session) {
  bool all = true, any_failed = false;
  for (const std::string& path : plans_of(session.env().path(*session.args().text("plan")))) {
    const TaskPlan plan = TaskPlan::open(path);
    require_unedited(plan);
    const TaskFolder folder(folder_of(path));
    const TaskStatus status = status_of(plan, folder);
    std::string text = path + ": " + to_text(status);
    const std::vector<std::string> lines = lines_of(status);
    for (size_t i = 0; i < std::min(lines.size(), kMostNamed); ++i) text += "\n    " + lines[i];
    text += and_more(lines.size(), kMostNamed, "\n    ... ");
    if (const size_t logs = folder.warning_logs(); logs > 0)
      text +=
          fmt::format("\n    Tasks have warnings of {} kinds: {}/warnings", logs, folder.path());
    std::string storage;
    session.env().out.write(std::string(visible(text, storage)) + "\n");
    all &= status.complete();
    any_failed |= !status.failed.empty();
  }
  return all || !any_failed ? kAgrees : kDiffers;
}

}  // namespace

extern constinit const Command command_task_status = {
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
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
