// `polygraphy task run`.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/paths.h"
#include "base/text.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"
#include "cli/syntax/value_parsing.h"
#include "tasks/run_task.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_task_plan}};

constexpr Option kOptions[] = {
    {.spellings = "--index",
     .help = "The tasks: numbers from 0 on, or the first and the last of several: 7, 0..9, "
             "3,5..8. Tasks with results are not run again.",
     .metavar = "I[..J][,...]",
     .origin = Origin::kOurs,
     .required = true},
    {.spellings = "--cache",
     .help = "Copy the files that tasks read into this folder of the machine, once for all tasks, "
             "and run the tasks there. Without space, a task reads the originals.",
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .metavar = "FOLDER",
     .origin = Origin::kOurs},
};

// The worst outcome of all: schedulers see one.
TaskOutcome worse(TaskOutcome one, TaskOutcome other) {
  if (one == TaskOutcome::kElsewhere || other == TaskOutcome::kElsewhere)
    return TaskOutcome::kElsewhere;
  return one == TaskOutcome::kDone ? other : one;
}

// Absolute, because tasks run elsewhere.
std::string cache_of(Session& session) {
  const auto given = session.args().text("--cache");
  if (!given) return {};
  return std::filesystem::absolute(session.env().path(*given)).native();
}

TaskOutcome run_tasks(Session& session) {
  const ParsedArgs& args = session.args();
  Environment& env = session.env();
  Logger& log = session.log();
  const TaskPlan plan = TaskPlan::open(env.path(*args.text("--plan")));
  const TaskFolder folder(std::filesystem::absolute(folder_of(plan.path())).native());
  const TaskTools tools{.executable = env.executable,
                        .cancel = cancel_token(env),
                        .host = host_name(),
                        .digests = std::make_shared<InputDigests>(),
                        .cache = cache_of(session),
                        .log = &log,
                        .stop_reason =
                            "The worker was ended by a signal: by the scheduler, at a "
                            "time limit or for a higher priority, or by a user.",
                        // Slurm and Kubernetes wait for 30 s, and then kill.
                        .patience = 20};
  const DeferredInterrupts interrupts(env, DeferredSignals::kAll);
  TaskOutcome all = TaskOutcome::kDone;
  const auto run = [&](int64_t index) {
    const TaskOutcome outcome = run_task(plan, index, folder, tools);
    all = worse(all, outcome);
    if (outcome == TaskOutcome::kDone) {
      log.verbose(log_modules::kTasks, fmt::format("Task {}: done", index));
      return;
    }
    const auto failure = folder.read_failure(plan.id(index));
    log.error(log_modules::kTasks,
              fmt::format("Task {}: {}", index, failure ? failure->reason : "no result"));
  };
  for (const std::string_view part : split(*args.text("--index"), ',')) {
    const IndexRange range = parse_index_range("--index", part);
    for (int64_t index = range.first; index <= range.last; ++index) run(index);
  }
  interrupts.check();
  return all;
}

int run_command(Session& session) {
  try {
    return static_cast<int>(run_tasks(session));
  } catch (const IoError& error) {
    // Another machine may have the folder of the plan, and a full disk may have space again.
    const std::string hint = error.hint().empty() ? "" : "\n" + error.hint();
    session.log().critical(log_modules::kTasks,
                           fmt::format("On {}: {}{}", host_name(), error.what(), hint));
    return static_cast<int>(TaskOutcome::kElsewhere);
  }
}

}  // namespace

extern constinit const Command command_task_run = {
    .path = "task run",
    .summary = "Run tasks of a plan: all that a worker executes.",
    .description =
        "Run tasks of a plan, one by one, each in a separate process. Exit code: 0 if all have "
        "results, 75 if another machine or another time may give one, 65 if none will.",
    .examples =
        "polygraphy task run --plan polygraphy_tasks/5f0c.jsonl --index 0\n"
        "polygraphy task run --plan polygraphy_tasks/5f0c.jsonl --index 0..9",
    .order = 1,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
