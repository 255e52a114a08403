// Job arrays of Slurm, by its commands: sbatch, squeue, scancel, scontrol.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/clock.h"
#include "base/log_modules.h"
#include "base/os/child_process.h"
#include "base/os/file_text.h"
#include "base/py_numbers.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "tasks/pause.h"
#include "tasks/scheduler.h"
#include "tasks/task_phase.h"

namespace polygraphy {
namespace {

using log_modules::kTasks;

constexpr int64_t kUsualArray = 1000;  // MaxArraySize - 1 of Slurm's defaults, rounded down
constexpr int64_t kMostArrays = 10;    // of one plan: Slurm's default is 10,000 jobs in all
// Seconds between looks: a multiple of the time that a look takes, within limits.
constexpr double kPausePerLook = 20, kLeastPause = 1, kMostPause = 30;

constexpr SchedulerSetting kSettings[] = {
    {"partition", "NAME", "The partition. Default: Slurm's."},
    {"time", "TIME", "The time limit of one element of the array: 1:00:00, 1h, 90m."},
    {"array", "N", "Elements of the array. Default: as many as keep all nodes busy.",
     SchedulerSetting::Kind::kNumber},
    {"running", "N", "The most elements that run at a time. Default: Slurm's limits.",
     SchedulerSetting::Kind::kNumber},
    {"account", "NAME", "The account. Default: Slurm's."},
    {"qos", "NAME", "The quality of service. Default: Slurm's."},
    {"constraint", "FEATURES", "Features that a node must have."},
    {"setup", "FILE", "Lines for the start of the job's script: #SBATCH options, module load."},
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

// How many elements an array may have: its indices are below MaxArraySize. Throws Error
// (kBadSchedule) if the user wants more.
int64_t most_elements(const OrderedMap<std::string>& settings, const CancelToken& cancel) {
  const Output config = call({"scontrol", "show", "config"}, {}, cancel);
  const int64_t size = succeeded(config) ? limit(config.out, "MaxArraySize") : 0;
  const int64_t most = size > 1 ? size - 1 : kUsualArray;
  const int64_t wanted = number_of(settings, "array", most);
  if (wanted > most && size > 1) {
    throw Error(kBadSchedule,
                fmt::format("slurm: array={} is more than the {} elements that an array may have "
                            "here (MaxArraySize is {})",
                            wanted, most, size),
                "Leave it out: large plans take several arrays.");
  }
  return wanted;
}

// Of "1h", "90m", "30s" and Slurm's own forms, "90", "90:00", "1:30:00", "2-12:30"; 0: none of
// them, or "infinite".
int64_t seconds_of(std::string_view text) {
  if (text.empty()) return 0;
  const auto number = [](std::string_view part) { return parse_int(part).value_or(0); };
  if (const size_t unit = std::string_view("smh").find(text.back()); unit != text.npos) {
    text.remove_suffix(1);
    return number(text) * (unit == 0 ? 1 : unit == 1 ? 60 : 3600);
  }
  const size_t dash = text.find('-');
  const int64_t days = dash == text.npos ? 0 : number(text.substr(0, dash));
  const auto parts = split(dash == text.npos ? text : text.substr(dash + 1), ':');
  int64_t unit = dash != text.npos || parts.size() == 3 ? 3600 : 60;
  int64_t seconds = days * 24 * 3600;
  for (const std::string_view part : parts) {
    seconds += number(part) * unit;
    unit /= 60;
  }
  return seconds;
}

// As Slurm has it.
std::string time_limit(const std::string& text) {
  const int64_t seconds = seconds_of(text);
  if (seconds == 0) return text;
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

// The shell's variable in the word of a worker.
constexpr std::string_view kTasksWord = "$tasks";

// A task that this machine cannot do goes back to the queue, at most three times; not one that
// Slurm ends, at its time limit or for a user. The shell outlives that signal, so that the worker
// can leave its reason.
constexpr std::string_view kScript = R"(#!/bin/sh
{setup}
ended=
trap ended=1 TERM
tasks=$(sed -n "$((SLURM_ARRAY_TASK_ID + {line}))p" {lists})
{worker}
code=$?
if [ $code -ne 0 ] && [ $code -ne 65 ] && [ -z "$ended" ] &&
    [ "${{SLURM_RESTART_COUNT:-0}}" -lt 3 ]; then
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}" && sleep 60
fi
exit $code
)";

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += text.empty() ? "" : " ";
    text += word == kTasksWord ? "\"" + word + "\"" : shell_word(word);
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

// "%8" behind the indices of an array.
std::string at_a_time(const Submission& submission) {
  const std::string* running = submission.settings.find("running");
  return running ? "%" + *running : std::string();
}

std::vector<std::string> sbatch_words(const Submission& submission, int64_t elements) {
  std::vector<std::string> words = {
      "sbatch",
      "--parsable",
      "--requeue",
      "--job-name=polygraphy",
      fmt::format("--array=0-{}", elements - 1) + at_a_time(submission),
      "--output=" + submission.folder.path() + "/slurm-%A_%a.out",
      "--open-mode=append",
      "--chdir=" + submission.plan.job().folder};
  add_needs(submission.needs, words);
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

// "all* 3/61/0/64 1-00:00:00" of sinfo: the partition, its allocated, idle, other and all
// processors, and the time that jobs get by default.
Capacity capacity(const OrderedMap<std::string>& settings, const TaskNeeds& needs,
                  const CancelToken& cancel) {
  const int64_t elements = most_elements(settings, cancel);
  const std::string* partition = settings.find("partition");
  std::vector<std::string> words = {"sinfo", "--noheader", "--format=%P %C %L"};
  if (partition) words.push_back("--partition=" + *partition);
  const Output output = call(words, {}, cancel);
  Capacity found;
  for (const std::string_view line : split_lines(output.out)) {
    const auto fields = split(line, ' ');
    if (fields.size() < 3 || !(partition || fields[0].ends_with('*'))) continue;
    const auto cpus = split(fields[1], '/');
    if (cpus.size() != 4) continue;
    found.slots = (parse_int(cpus[0]).value_or(0) + parse_int(cpus[1]).value_or(0)) /
                  std::max<int64_t>(needs.cpus, 1);
    found.seconds = static_cast<double>(seconds_of(fields[2]));
  }
  if (const std::string* time = settings.find("time"))
    found.seconds = static_cast<double>(seconds_of(*time));
  if (settings.contains("array")) found.slots = elements;
  found.slots = std::min(found.slots, number_of(settings, "running", found.slots));
  return found;
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
    throw Error(kBadSchedule, fmt::format("slurm: the allocation already sets the {}", name),
                "Give it to salloc or sbatch.");
  }
  // A step gets the processors of one task, not all of the job's, and shares its memory.
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

// Jobs that wait or run: each line of squeue has a state and its reason. nullopt: Slurm's
// controller is away for a moment. Empty: all have ended.
std::optional<std::string> queue_of(const std::vector<std::string>& jobs,
                                    const CancelToken& cancel) {
  const Output output =
      call({"squeue", "--noheader", "--jobs=" + join(jobs, ","), "--format=%t %r"}, {}, cancel);
  if (succeeded(output)) return std::string(strip(output.out));
  if (output.err.find("Invalid job id") != std::string::npos) return std::string();
  return std::nullopt;
}

void cancel_all(const std::vector<std::string>& jobs) {
  std::vector<std::string> words = {"scancel"};
  words.insert(words.end(), jobs.begin(), jobs.end());
  call(words, {}, {});
}

// Looks less often where a look takes long: results are names in folders that all machines share.
void wait_for(const std::vector<std::string>& jobs, const Submission& submission, Logger& log) {
  TaskPhase phase(submission.tasks.size());
  bool all_wait = true;
  std::string said;
  while (true) {
    const double start = seconds_now();
    const auto queue = queue_of(jobs, submission.cancel);
    if (queue && queue->empty()) return;
    const std::string text = queue.value_or("");
    const auto lines = split_lines(text);
    constexpr std::string_view kPending = "PD ";
    const auto waits = [](std::string_view line) { return line.starts_with(kPending); };
    if (queue) all_wait = std::ranges::all_of(lines, waits);
    for (const std::string_view line : lines) {
      if (!waits(line) || line.substr(kPending.size()) == said) continue;
      said = line.substr(kPending.size());
      if (said != "None") log.info(kTasks, "Tasks wait in Slurm's queue: " + said);
      break;
    }
    const auto results = submission.folder.results();
    const auto done = std::ranges::count_if(submission.tasks, [&](int64_t index) {
      return results.contains(submission.plan.id(index));
    });
    phase.at(all_wait ? "waiting in Slurm's queue" : kRunningTasks, done);
    pause(std::clamp(kPausePerLook * (seconds_now() - start), kLeastPause, kMostPause),
          submission.cancel);
  }
}

// As many elements as an array may have, or, of larger plans, as keep all nodes busy.
std::vector<std::string> submit_arrays(const Submission& submission, Logger& log) {
  const auto tasks = static_cast<int64_t>(submission.tasks.size());
  const int64_t most = most_elements(submission.settings, submission.cancel);
  int64_t elements = std::min(tasks, most);
  if (!submission.settings.contains("array") && submission.capacity)
    elements =
        std::clamp(submission.capacity->slots, elements, std::min(tasks, kMostArrays * most));
  const auto lists = task_lists(submission.tasks, elements);
  const std::string path = write_task_lists(submission.folder, lists);
  const std::string* setup = submission.settings.find("setup");
  const std::string lines = setup ? read_text(*setup) : std::string();
  std::vector<std::string> jobs;
  try {
    for (int64_t first = 0; first < elements; first += most) {
      const std::string script = fmt::format(
          fmt::runtime(kScript), fmt::arg("setup", lines), fmt::arg("line", first + 1),
          fmt::arg("lists", shell_word(path)),
          fmt::arg("worker", quoted(worker_words(submission, std::string(kTasksWord)))));
      const int64_t count = std::min(most, elements - first);
      jobs.push_back(submit(sbatch_words(submission, count), script, submission.cancel));
      log.info(kTasks,
               fmt::format("Slurm job {}: an array of {} for {} tasks", jobs.back(), count, tasks));
    }
  } catch (...) {
    if (!jobs.empty()) cancel_all(jobs);
    throw;
  }
  return jobs;
}

void run(const Submission& submission, Logger& log) {
  const std::vector<std::string> jobs = submit_arrays(submission, log);
  if (!submission.detach) {
    try {
      wait_for(jobs, submission, log);
    } catch (...) {
      cancel_all(jobs);
      throw;
    }
    return;
  }
  const std::string merge = submit(
      {"sbatch", "--parsable", "--job-name=polygraphy-merge",
       "--dependency=afterany:" + join(jobs, ":"),
       "--output=" + submission.folder.path() + "/merge-%j.out",
       "--chdir=" + submission.plan.job().folder},
      "#!/bin/sh\nexec " +
          quoted({submission.executable, "task", "merge", "--plan", submission.plan.path()}) + "\n",
      submission.cancel);
  log.info(kTasks, fmt::format("Slurm job {}: merges the results into {}/merge-{}.out", merge,
                               submission.folder.path(), merge));
}

}  // namespace

extern constinit const Scheduler scheduler_slurm = {
    .name = "slurm",
    .summary = "Job arrays of Slurm.",
    .settings = kSettings,
    .detaches = true,
    .capacity = capacity,
    .allocation = allocation,
    .run = run,
};

}  // namespace polygraphy
