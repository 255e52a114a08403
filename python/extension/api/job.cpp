#include "api/job.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "api/reporting.h"

namespace native {

using polygraphy::Once;
using polygraphy::Severity;

namespace {

// How long a signal waits at most.
constexpr std::chrono::milliseconds kPatience{50};

}  // namespace

Job::Job() : threshold_(logging_threshold()) {
  log_.set_severity(threshold_);
  log_.set_relay(
      [this](Severity severity, std::string_view module, std::string_view text, Once, int levels) {
        if (kept_ && severity >= Severity::kInfo && module.starts_with(*kept_)) {
          const std::string indent(static_cast<size_t>(levels) * 4, ' ');
          for (size_t at = 0; at <= text.size();) {
            const size_t end = std::min(text.find('\n', at), text.size());
            text_.append(indent).append(text.substr(at, end - at)).append("\n");
            at = end + 1;
          }
        }
        if (severity >= threshold_) call([&] { log_in_python(severity, module, text); });
      });
}

void Job::keep_text(std::string_view module_prefix) {
  kept_ = module_prefix;
  log_.set_severity(std::min(threshold_, Severity::kInfo));
}

void Job::run(const std::function<void()>& work) {
  std::thread worker([&] {
    const auto watch = progress_.watch();
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    ended_ = true;
    changed_.notify_all();
  });
  wait_and_serve();
  worker.join();
  progress_.tick();
  if (exception_) {
    failure_ = nullptr;
    PyErr_Restore(exception_.release(), exception_value_.release(), exception_traceback_.release());
    throw PythonError();
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Job::wait_and_serve() {
  for (;;) {
    bool asked = false;
    {
      const WithoutGil released;
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kPatience, [&] { return ended_ || callback_; });
      asked = callback_ != nullptr;
      if (ended_ && !asked) break;
    }
    asked ? serve() : look_for_signals();
    if (!asked) progress_.tick();
  }
}

void Job::serve() {
  const std::function<void()>* const callback = callback_;
  std::exception_ptr failure;
  try {
    progress_.above(*callback);
  } catch (const PythonError&) {
    keep_exception();
    failure = std::make_exception_ptr(polygraphy::Interrupted());
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  callback_ = nullptr;
  callback_failure_ = std::move(failure);
  callback_done_ = true;
  changed_.notify_all();
}

void Job::look_for_signals() {
  if (PyErr_CheckSignals() != 0) keep_exception();
}

void Job::keep_exception() {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  const auto own = [](PyObject* object) { return object ? PyRef::take(object) : PyRef(); };
  PyRef first = own(type), second = own(value), third = own(traceback);
  cancelled_ = true;
  if (exception_) return;
  exception_ = std::move(first);
  exception_value_ = std::move(second);
  exception_traceback_ = std::move(third);
}

void Job::call(const std::function<void()>& callback) {
  const std::lock_guard one(calls_);
  std::unique_lock lock(mutex_);
  callback_ = &callback;
  callback_done_ = false;
  changed_.notify_all();
  changed_.wait(lock, [&] { return callback_done_; });
  if (callback_failure_) std::rethrow_exception(std::exchange(callback_failure_, nullptr));
}

}  // namespace native
