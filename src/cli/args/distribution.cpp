#include "cli/args/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/py_numbers.h"
#include "base/shell_words.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

std::string schedulers_help() {
  std::string text = "Cut the work into tasks, and have a scheduler run them.";
  for (const Scheduler* scheduler : schedulers()) {
    text += " " + std::string(scheduler->name) + ": " + std::string(scheduler->summary);
    std::string settings;
    for (const SchedulerSetting& setting : scheduler->settings) {
      const std::string_view meaning = setting.help.substr(0, setting.help.size() - 1);  // no stop
      settings += fmt::format("{}{}={}: {}", settings.empty() ? "" : "; ", setting.name,
                              setting.metavar, meaning);
    }
    if (!settings.empty()) text += " (" + settings + ")";
  }
  return text + " The same command resumes where it stopped.";
}

constexpr Option kOptions[] = {
    {.spellings = "--on",
     .metavar = "SCHEDULER[:NAME=VALUE,...]",
     .origin = Origin::kOurs,
     .made_help = schedulers_help,
     .starts_programs = true},
    {.spellings = "--tasks",
     .help = "Folder for the plan and the results, which all machines share. Default: "
             "polygraphy_tasks.",
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .metavar = "FOLDER",
     .origin = Origin::kOurs,
     .needs = "--on"},
    {.spellings = "--detach",
     .help = "Return when the tasks are queued. The scheduler merges the results after the last.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs,
     .needs = "--on"},
    {.spellings = "--task-launcher",
     .help = "Start each task by this command, such as 'srun -n1 {}', where {} stands for the "
             "worker's command line. With --on local:N, which runs N at a time.",
     .metavar = "COMMAND",
     .origin = Origin::kOurs,
     .needs = "--on"},
    {.spellings = "--task-cache",
     .help =
         "Folder on each machine, into which its first worker copies the files that tasks read.",
     .metavar = "DIRECTORY",
     .origin = Origin::kOurs,
     .needs = "--on"},
    {.spellings = "--task-cpus",
     .help = "Processors for each task. Default: 1. Engines use as many threads.",
     .type = ValueType::kInt,
     .origin = Origin::kOurs,
     .needs = "--on --save-task"},
    {.spellings = "--task-versions",
     .help = "Versions of engines and of this program that the task is for.",
     .metavar = "NAME=VERSION,...",
     .origin = Origin::kInternal,
     .needs = "--save-task"},
    {.spellings = "--task-memory",
     .help = "Memory for each task (4G, 512M). Default: the scheduler's.",
     .metavar = "BYTES",
     .origin = Origin::kOurs,
     .needs = "--on"},
    {.spellings = "--task-gpus",
     .help = "GPUs for each task, with the scheduler's name for the type: 1, h100:1.",
     .metavar = "[TYPE:]N",
     .origin = Origin::kOurs,
     .needs = "--on"},
};

void resolve_gpus(const std::string& text, TaskNeeds& needs) {
  const size_t colon = text.rfind(':');
  if (colon != text.npos) needs.gpu_type = text.substr(0, colon);
  const auto number = parse_int(colon == text.npos ? text : text.substr(colon + 1));
  if (!number || *number < 0)
    throw Error("--task-gpus: '" + text + "' is not a number of GPUs", "Give 1, or h100:1.");
  needs.gpus = *number;
}

// The command of a copied plan has the original's folder.
void require_same_folder(const std::string& given, const std::string& of_command) {
  std::error_code failed;
  if (std::filesystem::equivalent(given, of_command, failed)) return;
  throw Error(kPlanOutdated,
              fmt::format("The plan lies in {}, but the tasks of its command in {}, so nothing was "
                          "merged",
                          given, of_command),
              "To merge a copy, run the command itself there: it uses the results of --tasks.");
}

}  // namespace

extern constinit const ArgGroup args_distribution = {
    .title = "Many Machines",
    .summary = "Tasks for a scheduler, and the merge of their results.",
    .options = kOptions};

TaskNeeds resolve_task_needs(const ParsedArgs& args) {
  TaskNeeds needs;
  if (const auto cpus = args.integer("--task-cpus")) {
    if (*cpus < 1) throw Error("--task-cpus must be 1 or more, but was: " + std::to_string(*cpus));
    needs.cpus = *cpus;
  }
  if (const auto memory = args.text("--task-memory"))
    needs.memory = static_cast<uint64_t>(std::max<int64_t>(parse_bytes(*memory), 0));
  if (const auto gpus = args.text("--task-gpus")) resolve_gpus(*gpus, needs);
  return needs;
}

std::optional<Distribution> resolve_distribution(Session& session) {
  const ParsedArgs& args = session.args();
  const Environment& env = session.env();
  const auto on = args.text("--on");
  if (!on) return std::nullopt;
  Distribution how{.folder = std::filesystem::absolute(
                                 env.path(args.text("--tasks").value_or("polygraphy_tasks")))
                                 .lexically_normal()
                                 .native(),
                   .schedule = parse_schedule(*on),
                   .executable = env.executable,
                   .python = find_python(env).program,
                   .cache = std::string(args.text("--task-cache").value_or("")),
                   .detach = args.has("--detach"),
                   .merges = !env.merged_tasks.empty(),
                   .cancel = cancel_token(env)};
  if (how.merges) require_same_folder(env.merged_tasks, how.folder);
  if (const auto launcher = args.text("--task-launcher")) {
    how.launcher = shell_words(*launcher);
    if (how.schedule.scheduler->name != "local") {
      throw Error("--task-launcher starts tasks that this machine runs, but --on is " + *on,
                  "Use --on local:N.");
    }
  }
  if (!how.cache.empty() && how.schedule.scheduler->name == "local" && how.launcher.empty()) {
    throw Error("--task-cache is for workers of other machines, but --on is " + *on,
                "Leave it out: this machine reads the files where they are.");
  }
  if (how.detach && !how.schedule.scheduler->detaches) {
    throw Error("--detach: " + std::string(how.schedule.scheduler->name) +
                    " runs tasks only as long as this command lives",
                "Leave it out.");
  }
  return how;
}

}  // namespace polygraphy::cli
