// Long work of the library on behalf of a Python call: it can be interrupted, logs, and calls back.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "api/job_progress.h"
#include "base/cancel.h"
#include "base/log.h"
#include "python_api.h"

namespace native {

// Runs work in a separate thread, without the interpreter's lock, while the thread of the Python
// call waits for it, and runs Python's signal handlers and callbacks. So Ctrl-C works during any
// work, callbacks run in the user's thread, and the work may request callbacks from any thread.
class Job {
 public:
  // Throws PythonError: what logging raises.
  Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Does `work` and returns when it has ended. The interpreter's lock is held at both ends. Throws
  // what the work throws; PythonError (KeyboardInterrupt) when a signal handler raised meanwhile,
  // and what a callback raised.
  void run(const std::function<void()>& work);

  // For the work.
  polygraphy::CancelToken cancel() const { return cancelled_; }
  polygraphy::Logger& log() { return log_; }
  // Has `callback` run in the thread of the Python call, with the interpreter's lock, and waits for
  // it. Throws Interrupted where that raises, and the exception is the job's; else what it throws.
  void call(const std::function<void()>& callback);
  // From now on, what modules of this prefix log from INFO on is kept as text.
  void keep_text(std::string_view module_prefix);
  std::string take_text() { return std::move(text_); }

 private:
  void wait_and_serve();
  void serve();
  void look_for_signals();
  void keep_exception();

  polygraphy::Logger log_;
  polygraphy::Severity threshold_;
  std::optional<std::string> kept_;  // a prefix of modules
  std::string text_;

  JobProgress progress_;
  std::atomic<bool> cancelled_ = false;
  std::mutex calls_;  // one callback at a time
  std::mutex mutex_;  // of the members below
  std::condition_variable changed_;
  const std::function<void()>* callback_ = nullptr;  // to be run
  bool callback_done_ = false;
  std::exception_ptr callback_failure_;
  bool ended_ = false;
  std::exception_ptr failure_;  // of the work

  PyRef exception_, exception_value_, exception_traceback_;  // of Python, the first one
};

// The result of work that is done in a job: `work(job)`.
template <typename Work>
auto in_job(Work work) {
  Job job;
  std::optional<decltype(work(job))> result;
  job.run([&] { result.emplace(work(job)); });
  return std::move(*result);
}

// The same without a result.
template <typename Work>
void do_in_job(Work work) {
  Job job;
  job.run([&] { work(job); });
}

}  // namespace native
