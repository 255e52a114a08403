// Job arrays of Slurm, by its commands: sbatch, squeue, scancel, scontrol.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/log_modules.h"
#include "base/os/child_process.h"
#include "base/progress.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "tasks/pause.h"
#include "tasks/scheduler.h"

namespace polygraphy {
namespace {

using log_modules::kTasks;

constexpr int64_t kUsualArray = 1000;  // MaxArraySize - 1 of Slurm's defaults, rounded down
constexpr double kBetweenLooks = 1;    // seconds

constexpr SchedulerSetting kSettings[] = {
    {"partition", "NAME", "The partition. Default: Slurm's."},
    {"time", "TIME", "The time limit of one element of the array: 1:00:00, 1h, 90m."},
    {"array", "N",
     "The most elements of the array, and the fewest tasks. Default: as many as Slurm takes."},
    {"account", "NAME", "The account. Default: Slurm's."},
    {"qos", "NAME", "The quality of service. Default: Slurm's."},
    {"constraint", "FEATURES", "Features that a node must have."},
};

struct Output {
  ExitStatus status;
  std::string out, err;
};

Output call(const std::vector<std::string>& words, std::string_view input,
            const CancelToken& cancel) {
  try {
    ChildProcess child({.argv = words,
                        .in = ChildStream::of_text(input),
                        .out = ChildStream::capture(),
                        .err = ChildStream::capture()});
    const ExitStatus status = *child.wait({}, cancel);
    return {status, child.out().text, child.err().text};
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw Error(kNotSubmitted, std::string("Slurm cannot be called: ") + error.what(),
                "Run this on a machine where sbatch is installed.");
  }
}

bool succeeded(const Output& output) {
  return output.status.signal == 0 && output.status.code == 0;
}

// "MaxArraySize            = 1001" of `scontrol show config`; 0: not there.
int64_t limit(std::string_view config, std::string_view name) {
  for (const std::string_view line : split_lines(config)) {
    if (!line.starts_with(name)) continue;
    const size_t equal = line.find("= ");
    if (equal == line.npos) continue;
    int64_t value = 0;
    const std::string_view text = line.substr(equal + 2);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
  return 0;
}

// How many elements an array may have: its indices are below MaxArraySize.
int64_t most_elements(const Submission& submission) {
  if (submission.settings.contains("array"))
    return number_of(submission.settings, "array", kUsualArray);
  const Output config = call({"scontrol", "show", "config"}, {}, submission.cancel);
  const int64_t most = limit(config.out, "MaxArraySize") - 1;
  return succeeded(config) && most > 0 ? most : kUsualArray;
}

// "1h", "90m" and "30s" as Slurm has them; other texts as they are.
std::string time_limit(const std::string& text) {
  const std::string_view units = "smh";
  const size_t unit = units.find(text.back());
  int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (unit == units.npos || failed != std::errc() || end != text.data() + text.size() - 1)
    return text;
  const int64_t seconds = number * (unit == 0 ? 1 : unit == 1 ? 60 : 3600);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

// The shell's variables in the word of a worker.
constexpr std::string_view kFirst = "$first", kLast = "$last", kRange = "$first..$last";

// A task that this machine cannot do goes back to the queue, at most three times.
constexpr std::string_view kScript = R"(#!/bin/sh
first=$((SLURM_ARRAY_TASK_ID * {per} + {first}))
last=$((first + {per} - 1))
[ $last -le {last} ] || last={last}
{worker}
code=$?
if [ $code -ne 0 ] && [ $code -ne 65 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt 3 ]; then
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}" && sleep 60
fi
exit $code
)";

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += text.empty() ? "" : " ";
    text += word == kRange ? "\"" + word + "\"" : shell_word(word);
  }
  return text;
}

void add_needs(const TaskNeeds& needs, std::vector<std::string>& words) {
  words.push_back(fmt::format("--cpus-per-task={}", needs.cpus));
  if (needs.memory > 0) words.push_back(fmt::format("--mem={}K", (needs.memory + 1023) / 1024));
  if (needs.gpus > 0) {
    words.push_back(fmt::format("--gres=gpu:{}{}{}", needs.gpu_type,
                                needs.gpu_type.empty() ? "" : ":", needs.gpus));
  }
}

std::vector<std::string> sbatch_words(const Submission& submission, int64_t elements) {
  std::vector<std::string> words = {"sbatch",
                                    "--parsable",
                                    "--requeue",
                                    "--job-name=polygraphy",
                                    fmt::format("--array=0-{}", elements - 1),
                                    "--output=" + submission.folder.path() + "/slurm-%A_%a.out",
                                    "--open-mode=append",
                                    "--chdir=" + submission.plan.job().folder};
  add_needs(submission.plan.job().needs, words);
  for (const std::string_view name : {"partition", "account", "qos", "constraint"}) {
    if (const std::string* value = submission.settings.find(name))
      words.push_back(fmt::format("--{}={}", name, *value));
  }
  if (const std::string* time = submission.settings.find("time"))
    words.push_back("--time=" + time_limit(*time));
  return words;
}

// The number of the job. Throws Error (kNotSubmitted).
std::string submit(const std::vector<std::string>& words, const std::string& script,
                   const CancelToken& cancel) {
  const Output output = call(words, script, cancel);
  if (!succeeded(output)) {
    throw Error(kNotSubmitted, "Slurm did not take the tasks: " + std::string(strip(output.err)),
                "The command was: " + quoted(words));
  }
  // "17;cluster" where there are several clusters.
  const std::string_view id = strip(output.out);
  return std::string(id.substr(0, id.find(';')));
}

// Known only if the user says so.
int64_t slots(const OrderedMap<std::string>& settings) {
  return settings.contains("array") ? number_of(settings, "array", 1) : 0;
}

// The code of an srun that could not start the command: few commands exit with it.
constexpr int kNotStarted = 213;

ExitStatus status_of_step(ExitStatus step, std::string_view err) {
  constexpr std::string_view kNotExecuted = "error: execve(): ";
  const size_t reason = err.find(kNotExecuted);
  const bool refused = err.starts_with("slurmstepd-") && reason != err.npos;
  if (step.signal == 0 && (step.code == kNotStarted || refused)) {
    const std::string_view text = refused ? err.substr(reason + kNotExecuted.size()) : err;
    throw Error(kNoAllocation,
                "Slurm did not run the check: " + std::string(strip(text.substr(0, 1000))));
  }
  return step;
}

// Steps of the job that this process is a part of.
Allocation allocation(const OrderedMap<std::string>& settings, const Variable& variable) {
  if (variable("SLURM_JOB_ID").empty()) {
    throw Error(kNoAllocation,
                "Checks of a search are steps of a job of Slurm, but this process is in no job");
  }
  for (const auto& [name, value] : settings) {
    throw Error(kBadSchedule, fmt::format("slurm: the job has its {} already", name),
                "Give it to salloc or sbatch.");
  }
  // A step gets the processors of one task, not all those of the job, and shares its memory.
  Allocation steps{
      .launcher = {"env", fmt::format("SLURM_EXIT_ERROR={}", kNotStarted), "srun", "-QQ",
                   "--nodes=1", "--ntasks=1", "--exact", "--mem=0", "--input=none"},
      .status = status_of_step};
  const std::string_view cpus = variable("SLURM_CPUS_PER_TASK");
  if (!cpus.empty()) steps.launcher.push_back(fmt::format("--cpus-per-task={}", cpus));
  const std::string_view tasks = variable("SLURM_NTASKS");
  std::from_chars(tasks.data(), tasks.data() + tasks.size(), steps.slots);
  return steps;
}

// Elements that wait or run. Slurm's controller may be away for a moment.
bool is_queued(const std::string& job, const CancelToken& cancel) {
  const Output output = call({"squeue", "--noheader", "--jobs=" + job, "--format=%i"}, {}, cancel);
  if (succeeded(output)) return !strip(output.out).empty();
  return output.err.find("Invalid job id") == std::string::npos;
}

void wait_for(const std::string& job, const Submission& submission) {
  ProgressPhase phase("running tasks", static_cast<int64_t>(submission.tasks.size()));
  const auto done = [&] {
    return std::count_if(submission.tasks.begin(), submission.tasks.end(), [&](int64_t index) {
      return submission.folder.has_result(submission.plan.id(index));
    });
  };
  try {
    while (is_queued(job, submission.cancel)) {
      phase.at(done());
      pause(kBetweenLooks, submission.cancel);
    }
  } catch (const Interrupted&) {
    call({"scancel", job}, {}, {});
    throw;
  }
}

void run(const Submission& submission, Logger& log) {
  const int64_t first = submission.tasks.front(), last = submission.tasks.back();
  // Workers skip tasks that have results, so a range does.
  const int64_t range = last - first + 1;
  const int64_t per = (range + most_elements(submission) - 1) / most_elements(submission);
  const int64_t elements = (range + per - 1) / per;
  const std::string script = fmt::format(
      fmt::runtime(kScript), fmt::arg("per", per), fmt::arg("first", first), fmt::arg("last", last),
      fmt::arg("worker",
               quoted(worker_words(submission, std::string(kFirst), std::string(kLast)))));
  const std::string job = submit(sbatch_words(submission, elements), script, submission.cancel);
  log.info(kTasks, fmt::format("Slurm job {}: an array of {} for {} tasks", job, elements,
                               submission.tasks.size()));
  if (!submission.detach) {
    wait_for(job, submission);
    return;
  }
  const std::string merge = submit(
      {"sbatch", "--parsable", "--job-name=polygraphy-merge", "--dependency=afterany:" + job,
       "--output=" + submission.folder.path() + "/merge-%j.out",
       "--chdir=" + submission.plan.job().folder},
      "#!/bin/sh\nexec " +
          quoted({submission.executable, "task", "merge", "--plan", submission.plan.path()}) + "\n",
      submission.cancel);
  log.info(kTasks, fmt::format("Slurm job {}: merges the results into {}/merge-{}.out", merge,
                               submission.folder.path(), merge));
}

}  // namespace

extern const Scheduler scheduler_slurm;
constinit const Scheduler scheduler_slurm = {
    .name = "slurm",
    .summary = "Job arrays of Slurm.",
    .settings = kSettings,
    .detaches = true,
    .slots = slots,
    .allocation = allocation,
    .run = run,
};

}  // namespace polygraphy
