// Processes on this machine.
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/log_modules.h"
#include "base/os/child_process.h"
#include "base/os/processes/this_process.h"
#include "base/os/system_error.h"
#include "base/progress.h"
#include "base/thread_pool.h"
#include "tasks/run_task.h"
#include "tasks/scheduler.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostAttempts = 5;
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);

constexpr SchedulerSetting kSettings[] = {
    {"workers", "N", "Tasks that run side by side. Default: one for each processor.",
     SchedulerSetting::Kind::kNumber},
};

int64_t workers_of(const OrderedMap<std::string>& settings) {
  return number_of(settings, "workers", std::max(1, parallelism()));
}

Capacity capacity(const OrderedMap<std::string>& settings, const TaskNeeds&, const CancelToken&) {
  return {.slots = workers_of(settings)};
}

Allocation allocation(const OrderedMap<std::string>& settings, const Variable&) {
  return {.slots = workers_of(settings)};
}

// Gives this thread, and the processes that it starts, a share of the processors: engines pin their
// threads to the first that they may use, which would be the same one for all.
void take_processors(int64_t worker, int64_t count) {
  const std::vector<int> all = allowed_processors();
  const auto most = static_cast<int64_t>(all.size());
  if (count >= most) return;
  std::vector<int> own;
  for (int64_t i = 0; i < count; ++i)
    own.push_back(all[static_cast<size_t>((worker * count + i) % most)]);
  run_on(own);
}

// A worker's words inside a launcher's.
std::vector<std::string> launched(const Submission& submission, int64_t index) {
  const std::vector<std::string> worker = worker_words(submission, std::to_string(index));
  std::vector<std::string> words;
  bool put = false;
  for (const std::string& word : submission.launcher) {
    if (word != "{}") {
      words.push_back(word);
      continue;
    }
    words.insert(words.end(), worker.begin(), worker.end());
    put = true;
  }
  if (!put) words.insert(words.end(), worker.begin(), worker.end());
  return words;
}

class LocalWorkers {
 public:
  explicit LocalWorkers(const Submission& submission)
      : submission_(submission),
        tools_{.executable = submission.executable,
               .cancel = submission.cancel,
               .host = host_name(),
               .digests = std::make_shared<InputDigests>()} {}

  void run(int64_t workers, Logger& log) {
    std::vector<std::jthread> threads;
    start(workers, threads, log);
    const auto total = static_cast<int64_t>(submission_.tasks.size());
    ProgressPhase phase("running tasks", total);
    std::unique_lock lock(mutex_);
    while (ended_ < total && !failure_) {
      changed_.wait_for(lock, kBetweenLooks);
      phase.at(ended_);
      pass_on_warnings(log);
    }
    lock.unlock();
    threads.clear();
    pass_on_warnings(log);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // Fewer, where the system has no more threads. Throws Error if it has none.
  void start(int64_t workers, std::vector<std::jthread>& threads, Logger& log) {
    try {
      for (int64_t i = 0; i < workers; ++i) threads.emplace_back([this, i] { work(i); });
    } catch (const std::system_error& error) {
      const std::string reason = fmt::format("cannot start worker {} of {}: {}", threads.size() + 1,
                                             workers, system_reason(error.code().value()));
      if (threads.empty())
        throw Error(kNotSubmitted, reason, "Check the limits of processes: ulimit -u, ulimit -v.");
      log.warning(log_modules::kTasks, reason);
    }
  }

  // A logger has one thread.
  void pass_on_warnings(Logger& log) {
    for (const std::string& text : std::exchange(warnings_, {}))
      log.warning(log_modules::kTasks, text);
  }

  void work(int64_t worker) {
    Logger own;
    own.set_relay([this](Severity, std::string_view, std::string_view text, Once, int) {
      const std::lock_guard lock(mutex_);
      warnings_.emplace_back(text);
    });
    try {
      take_processors(worker, submission_.needs.cpus);
      while (const auto index = next()) {
        attempt(*index, own);
        const std::lock_guard lock(mutex_);
        ++ended_;
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  std::optional<int64_t> next() {
    const std::lock_guard lock(mutex_);
    if (failure_ || next_ == submission_.tasks.size()) return std::nullopt;
    return submission_.tasks[next_++];
  }

  void attempt(int64_t index, Logger& log) {
    for (int64_t time = 0; time < kMostAttempts; ++time) {
      submission_.cancel.check();
      if (outcome_of(index, log) != TaskOutcome::kElsewhere) return;
    }
  }

  TaskOutcome outcome_of(int64_t index, Logger& log) {
    if (submission_.launcher.empty()) {
      TaskTools tools = tools_;
      tools.log = &log;
      return run_task(submission_.plan, index, submission_.folder, tools);
    }
    ChildProcess child({.argv = launched(submission_, index)});
    const ExitStatus status = *child.wait({}, submission_.cancel);
    if (status.signal == 0 && status.code == static_cast<int>(TaskOutcome::kNever))
      return TaskOutcome::kNever;
    // Exit codes of launchers differ: the folder says whether there is a result.
    return submission_.folder.has_result(submission_.plan.id(index)) ? TaskOutcome::kDone
                                                                     : TaskOutcome::kElsewhere;
  }

  const Submission& submission_;
  TaskTools tools_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t next_ = 0;
  int64_t ended_ = 0;
  std::vector<std::string> warnings_;
  std::exception_ptr failure_;
};

void run(const Submission& submission, Logger& log) {
  const auto most = static_cast<int64_t>(submission.tasks.size());
  LocalWorkers(submission).run(std::min(workers_of(submission.settings), most), log);
}

}  // namespace

extern constinit const Scheduler scheduler_local = {
    .name = "local",
    .summary = "Processes on this machine.",
    .settings = kSettings,
    .capacity = capacity,
    .allocation = allocation,
    .run = run,
};

}  // namespace polygraphy
