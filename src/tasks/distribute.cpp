#include "tasks/distribute.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>

#include "base/log_modules.h"
#include "base/text.h"
#include "tasks/run_task.h"
#include "tasks/task_status.h"

namespace polygraphy {
namespace {

using log_modules::kTasks;

constexpr double kSeconds = 60;        // of a task
constexpr double kMostOverhead = 0.1;  // the part of it that may pass before its first unit
constexpr double kMostSeconds = 120;
constexpr int64_t kProbe = 32;  // units of the task that is timed against one of a single unit
constexpr int64_t kMostListed = 1000;  // units in the arguments of one task
constexpr int64_t kFew = 8;            // units that need no timing: each is a task
constexpr int kMostRounds = 3;         // of submissions, for tasks that were lost
constexpr int64_t kMostAttempts = 5;   // of a task that no machine could do so far
constexpr size_t kMostNamed = 5;       // failures in a message

// Of a task: some time before the first unit, and some for each.
struct Pace {
  double start = 0, unit = 0;
};

class Cutter {
 public:
  Cutter(const TaskUnits& units, int64_t slots) : units_(units), slots_(slots) {}

  // Enough to know the pace.
  std::vector<Task> first_tasks() const {
    const int64_t all = units_.size();
    if (all <= kFew) return tasks(0, 1);
    const int64_t probe = std::clamp(all / 8, int64_t{2}, kProbe);
    return {task_of(units_, 0, 1), task_of(units_, 1, probe)};
  }

  std::vector<Task> rest(int64_t first, const Pace& pace) const {
    return tasks(first, chunk(units_.size() - first, pace));
  }

 private:
  int64_t chunk(int64_t units, const Pace& pace) const {
    const double seconds = std::clamp(pace.start / kMostOverhead, kSeconds, kMostSeconds);
    const double left = std::max(seconds - pace.start, seconds / 2);
    double most = left / std::max(pace.unit, 1e-7);
    // All slots have work to the end.
    if (slots_ > 0)
      most = std::min(most, std::ceil(static_cast<double>(units) / static_cast<double>(slots_)));
    most = std::min(most, static_cast<double>(units_.listed.empty() ? units : kMostListed));
    return std::max<int64_t>(1, static_cast<int64_t>(std::min(most, static_cast<double>(units))));
  }

  std::vector<Task> tasks(int64_t first, int64_t chunk) const {
    std::vector<Task> all;
    for (; first < units_.size(); first += chunk)
      all.push_back(task_of(units_, first, std::min(chunk, units_.size() - first)));
    return all;
  }

  const TaskUnits& units_;
  int64_t slots_;
};

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

std::vector<Task> tasks_of(const TaskPlan& plan) {
  std::vector<Task> tasks;
  for (int64_t i = 0; i < plan.size(); ++i) tasks.push_back(plan.task(i));
  return tasks;
}

int64_t units_of(const std::vector<Task>& tasks) {
  int64_t units = 0;
  for (const Task& task : tasks) units += task.units;
  return units;
}

// From the two tasks at the front; if one of them failed, all time of the other is that of its
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

class Distributor {
 public:
  Distributor(const TaskJob& job, const TaskUnits& units, const Distribution& how, Logger& log)
      : job_(job),
        how_(how),
        folder_(how.folder),
        log_(log),
        cutter_(units, how.schedule.scheduler->slots
                           ? how.schedule.scheduler->slots(how.schedule.settings)
                           : 0),
        units_(units) {}

  std::optional<TaskPlan> run() {
    folder_.make();
    const std::string path = folder_.plan_path(digest_of(job_, units_).text());
    struct stat info;
    const bool known = ::stat(path.c_str(), &info) == 0;
    if (!known && how_.merges) {
      throw Error(kPlanOutdated,
                  "The command makes other tasks than those of the plan: a version of an engine or "
                  "an option has changed, so nothing was merged",
                  "Run the command itself again.");
    }
    if (!known) write_plan(path, job_, cutter_.first_tasks());
    TaskPlan plan = TaskPlan::open(path);
    if (known) announce_resumption(plan);
    for (const int64_t index : without_result(plan, folder_))
      folder_.forget_failure(plan.id(index));
    if (units_of(tasks_of(plan)) < units_.size()) {
      submit_until_done(plan, first_schedule(), false);
      plan = whole(path, plan);
    }
    if (!submit_until_done(plan, how_.schedule, how_.detach)) return std::nullopt;
    require_results(plan, folder_);
    return plan;
  }

 private:
  void announce_resumption(const TaskPlan& plan) {
    log_.info(kTasks,
              fmt::format("Resuming {}: {}", plan.path(), to_text(status_of(plan, folder_))));
  }

  // With the tasks that were missing.
  TaskPlan whole(const std::string& path, const TaskPlan& begun) {
    std::vector<Task> tasks = tasks_of(begun);
    const auto pace = pace_of(begun, folder_);
    if (!pace) require_results(begun, folder_);  // throws
    for (Task& task : cutter_.rest(units_of(tasks), *pace)) tasks.push_back(std::move(task));
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

  // False: the scheduler goes on without us.
  bool submit_until_done(const TaskPlan& plan, const Schedule& schedule, bool detach) {
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<int64_t> tasks = without_result(plan, folder_);
      std::erase_if(tasks, [&](int64_t index) { return gave_up(plan, folder_, index); });
      if (tasks.empty()) return true;
      log_.info(kTasks, fmt::format("{} of {} tasks go to {}", tasks.size(), plan.size(),
                                    schedule.scheduler->name));
      const Submission submission{
          .plan = plan,
          .folder = folder_,
          .tasks = std::move(tasks),
          .settings = schedule.settings,
          .executable = how_.executable,
          .python = how_.python,
          .launcher = how_.launcher,
          .cache = schedule.scheduler == how_.schedule.scheduler ? how_.cache : std::string(),
          .detach = detach,
          .cancel = how_.cancel};
      schedule.scheduler->run(submission, log_);
      if (detach || schedule.scheduler->only_writes) return false;
    }
    return true;
  }

  const TaskJob& job_;
  const Distribution& how_;
  TaskFolder folder_;
  Logger& log_;
  Cutter cutter_;
  const TaskUnits& units_;
};

}  // namespace

Task task_of(const TaskUnits& units, int64_t first, int64_t count) {
  Task task{.argv = {}, .units = count};
  if (units.listed.empty() && units.range_option.empty()) return task;
  if (units.listed.empty()) {
    task.argv = {units.range_option, fmt::format("{}..{}", first, first + count - 1)};
    return task;
  }
  for (int64_t i = first; i < first + count; ++i) {
    const TaskInput& input = units.listed[static_cast<size_t>(i)];
    task.argv.push_back(input.path);
    task.inputs.push_back(input);
  }
  return task;
}

std::optional<TaskPlan> distribute(const TaskJob& job, const TaskUnits& units,
                                   const Distribution& how, Logger& log) {
  return Distributor(job, units, how, log).run();
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
  for (int64_t i = 0; i < plan.size(); ++i) check(plan.task(i).inputs);
}

void require_results(const TaskPlan& plan, const TaskFolder& folder) {
  const TaskStatus status = status_of(plan, folder);
  if (status.complete()) return;
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
