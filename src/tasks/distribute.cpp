#include "tasks/distribute.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log_modules.h"
#include "base/os/files/file_access.h"
#include "base/text.h"
#include "tasks/cut_tasks.h"
#include "tasks/run_task.h"
#include "tasks/task_status.h"

namespace polygraphy {
namespace {

constexpr double kUnknownPace = 1;  // seconds a unit

using log_modules::kTasks;

constexpr int kMostRounds = 3;        // of submissions, for tasks that were lost
constexpr int64_t kMostAttempts = 5;  // of a task that no machine could do so far
constexpr size_t kMostNamed = 5;      // failures in a message

// Of its plan: jobs with the same arguments may have other units.
Fingerprint digest_of(const TaskJob& job, const TaskUnits& units) {
  const Fingerprint own = polygraphy::digest_of(job);
  FingerprintBuilder builder;
  builder.add(own.high).add(own.low).add(static_cast<uint64_t>(units.size()));
  for (const TaskInput& input : units.listed) {
    const Fingerprint unit = polygraphy::digest_of(own, {.argv = {input.path}, .inputs = {input}});
    builder.add(unit.high).add(unit.low);
  }
  return builder.value();
}

void write_plan(const std::string& path, const TaskJob& job, const std::vector<Task>& tasks) {
  TaskPlanWriter writer(path, job);
  for (const Task& task : tasks) writer.add(task);
  writer.commit();
}

// Most tasks read no files.
bool are_equal(const Task& one, const Task& other, const Fingerprint& job) {
  if (one.argv != other.argv || one.inputs.empty() != other.inputs.empty()) return false;
  return one.inputs.empty() || digest_of(job, one) == digest_of(job, other);
}

// How many units the plan has: from the first one on, each once and in order, because verdicts
// count them. Throws FormatError if they are not.
int64_t units_in(const TaskPlan& plan, const TaskJob& job, const TaskUnits& units) {
  int64_t next = 0;
  const auto fail = [&](const std::string& what) {
    throw FormatError(fmt::format("{}: {}: the plan was edited, or is damaged", plan.path(), what),
                      "Delete it, and run the command again. Results that are there are used.");
  };
  if (plan.job().units != job.units)
    fail(fmt::format("it is for {} {}s instead of {}", plan.job().units, job.unit, job.units));
  for (int64_t i = 0; i < plan.size(); ++i) {
    const Task task = plan.task(i);
    if (task.units < 1 || task.units > units.size() - next ||
        !are_equal(task, task_of(units, next, task.units), plan.digest()))
      fail(fmt::format("task {} does not begin with {} {}, or does not have {} of the {}", i,
                       job.unit, next, task.units, units.size()));
    next += task.units;
  }
  return next;
}

// From the two tasks at the front; if one of them failed, all time of the other counts for its
// units. nullopt: both failed.
std::optional<Pace> pace_of(const TaskPlan& plan, const TaskFolder& folder) {
  const auto seconds = [&](int64_t index) {
    return index < plan.size() ? folder.seconds(plan.id(index)) : std::nullopt;
  };
  const auto one = seconds(0), more = seconds(1);
  if (!more) return one ? std::optional(Pace{0, *one}) : std::nullopt;
  const auto units = static_cast<double>(plan.task(1).units);
  if (!one) return Pace{0, *more / units};
  const double unit = std::max(0.0, (*more - *one) / std::max(units - 1, 1.0));
  return Pace{std::max(0.0, *one - unit), unit};
}

std::vector<int64_t> without_result(const TaskPlan& plan, const TaskFolder& folder) {
  std::vector<int64_t> tasks;
  const auto results = folder.results();
  for (int64_t i = 0; i < plan.size(); ++i) {
    if (!results.contains(plan.id(i))) tasks.push_back(i);
  }
  return tasks;
}

bool gave_up(const TaskPlan& plan, const TaskFolder& folder, int64_t index) {
  const auto failure = folder.read_failure(plan.id(index));
  return failure && (failure->final || failure->attempts >= kMostAttempts);
}

// How far the tasks of a plan have come.
enum class Progress : uint8_t { kDone, kGaveUp, kElsewhere };  // kElsewhere: they run without us

class Distributor {
 public:
  Distributor(const TaskJob& job, const TaskUnits& units, const Distribution& how,
              const MergeResults& merge, Logger& log)
      : job_(job), how_(how), merge_(merge), folder_(how.folder), log_(log), units_(units) {}

  // False: the scheduler goes on without us.
  bool run() {
    folder_.make();
    const std::string path = folder_.plan_path(digest_of(job_, units_).text());
    const bool known = is_there(path);
    if (!known && how_.merges) {
      throw Error(kPlanOutdated,
                  "The plan is outdated: an option or the version of an engine has changed, so "
                  "nothing was merged",
                  "Run the command itself again.");
    }
    if (!known) {
      learn_capacity();  // a scheduler that cannot be had is an error before there is a plan
      write_plan(path, job_, first_tasks(units_));
    }
    TaskPlan plan = TaskPlan::open(path);
    const int64_t planned = units_in(plan, job_, units_);
    const bool whole = planned == units_.size();
    if (how_.merges) {
      if (!whole) {
        throw Error(kPlanOutdated, plan.path() + ": most tasks are not in the plan yet",
                    "Run the command itself again.");
      }
      if (!merged(plan)) {
        throw Error(kNotTheResult, "Results were damaged, so nothing was merged",
                    "Run the command itself again: it runs their tasks.");
      }
      return true;
    }
    bool complete = known && take_stock(plan);
    if (!whole) {
      if (known) learn_capacity();
      submit_until_done(plan, first_schedule(), false);
      plan = completed(path, plan, planned);
      complete = false;
    }
    for (int round = 0; round < kMostRounds; ++round) {
      const Progress progress =
          complete ? Progress::kDone : submit_until_done(plan, how_.schedule, how_.detach);
      if (progress == Progress::kElsewhere) return false;
      if (progress == Progress::kGaveUp) require_results(plan, folder_);
      if (merged(plan)) return true;
      complete = false;
    }
    throw Error(kNotTheResult, "Results are damaged again and again, so nothing was merged",
                "Check the file system of " + folder_.path() + ".");
  }

 private:
  void learn_capacity() {
    const auto capacity = how_.schedule.scheduler->capacity;
    if (capacity) capacity_ = capacity(how_.schedule.settings, job_.needs, how_.cancel);
  }

  // Counts the results of an earlier command, and forgets its failures. The merge reads the
  // results. True: all are there.
  bool take_stock(const TaskPlan& plan) {
    const TaskStatus status = status_of(plan, folder_, ResultCheck::kThere);
    log_.info(kTasks, fmt::format("Resuming {}: {}", plan.path(), to_text(status)));
    for (const auto& [index, failure] : status.failed) folder_.forget_failure(plan.id(index));
    return status.complete();
  }

  // False: results were damaged, and are out of the way.
  bool merged(const TaskPlan& plan) {
    try {
      merge_(plan);
      return true;
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      const std::vector<int64_t> damaged = status_of(plan, folder_).damaged;
      if (damaged.empty()) throw;
      for (const int64_t index : damaged) {
        log_.warning(kTasks, fmt::format("The result of task {} was damaged, so it does not count: "
                                         "{}",
                                         index, folder_.set_aside_result(plan.id(index))));
      }
      return false;
    }
  }

  // With tasks for the units from `planned` on.
  TaskPlan completed(const std::string& path, const TaskPlan& begun, int64_t planned) {
    auto pace = pace_of(begun, folder_);
    if (!pace) {
      require_results(begun, folder_);
      // They are there, but not the times of their tasks, which are not made durable.
      pace = Pace{.unit = kUnknownPace};
    }
    std::vector<Task> tasks;
    for (int64_t i = 0; i < begun.size(); ++i) tasks.push_back(begun.task(i));
    for (Task& task : tasks_from(units_, planned, *pace, capacity_))
      tasks.push_back(std::move(task));
    write_plan(path, job_, tasks);
    log_.verbose(kTasks, fmt::format("A {} takes {:.3g} s, and a task {:.3g} s more: {} {}s are {} "
                                     "tasks",
                                     job_.unit, pace->unit, pace->start, job_.units, job_.unit,
                                     tasks.size()));
    return TaskPlan::open(path);
  }

  // Of a description that others start, the first tasks run here.
  Schedule first_schedule() const {
    return how_.schedule.scheduler->only_writes ? parse_schedule("local:1") : how_.schedule;
  }

  Progress submit_until_done(const TaskPlan& plan, const Schedule& schedule, bool detach) {
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<int64_t> tasks = without_result(plan, folder_);
      if (tasks.empty()) return Progress::kDone;
      const auto failures = folder_.failures();
      std::erase_if(tasks, [&](int64_t index) {
        return failures.contains(plan.id(index)) && gave_up(plan, folder_, index);
      });
      if (tasks.empty()) break;
      log_.info(kTasks, fmt::format("{} of {} tasks go to {}", tasks.size(), plan.size(),
                                    schedule.scheduler->name));
      const Submission submission{
          .plan = plan,
          .folder = folder_,
          .tasks = std::move(tasks),
          .needs = job_.needs,
          .settings = schedule.settings,
          .executable = how_.executable,
          .python = how_.python,
          .launcher = how_.launcher,
          .cache = schedule.scheduler == how_.schedule.scheduler ? how_.cache : std::string(),
          .detach = detach,
          .cancel = how_.cancel,
          .capacity = &capacity_};
      schedule.scheduler->run(submission, log_);
      if (detach || schedule.scheduler->only_writes) return Progress::kElsewhere;
    }
    return Progress::kGaveUp;
  }

  const TaskJob& job_;
  const Distribution& how_;
  const MergeResults& merge_;
  TaskFolder folder_;
  Logger& log_;
  const TaskUnits& units_;
  Capacity capacity_;
};

}  // namespace

bool distribute(const TaskJob& job, const TaskUnits& units, const Distribution& how,
                const MergeResults& merge, Logger& log) {
  return Distributor(job, units, how, merge, log).run();
}

void require_same_files(const TaskPlan& plan) {
  InputDigests digests;
  const std::string host = host_name(), folder = plan.job().folder;
  const auto check = [&](const std::vector<TaskInput>& inputs) {
    for (const TaskInput& input : inputs) {
      const std::string wrong = digests.difference(input, folder, host);
      if (wrong.empty()) continue;
      throw Error(kPlanOutdated, wrong + " The results are of the old file, so nothing was merged",
                  "Run the command itself again.");
    }
  };
  check(plan.job().inputs);
  for (int64_t i = 0; i < plan.size(); ++i) {
    if (plan.reads_files(i)) check(plan.task(i).inputs);
  }
}

void require_results(const TaskPlan& plan, const TaskFolder& folder) {
  if (without_result(plan, folder).empty()) return;
  const TaskStatus status = status_of(plan, folder);
  std::string reasons;
  for (size_t i = 0; i < std::min(status.failed.size(), kMostNamed); ++i) {
    const auto& [index, failure] = status.failed[i];
    reasons += fmt::format("\nTask {} on {}: {}", index, failure.host, failure.reason);
  }
  reasons += and_more(status.failed.size(), kMostNamed, "\n... ");
  throw Error(kTasksFailed,
              fmt::format("{} of {} tasks have no result, so nothing was merged{}",
                          status.total - status.done, status.total, reasons),
              fmt::format("Their output is in {}/failed. The same command tries them again.",
                          folder.path()));
}

}  // namespace polygraphy
