#include "api/job_progress.h"

#include <algorithm>
#include <string_view>

#include "base/clock.h"
#include "base/os/files/descriptor.h"
#include "base/os/processes/this_process.h"
#include "python_api.h"

namespace native {
namespace {

using polygraphy::is_terminal;
using polygraphy::kStandardError;
using polygraphy::Progress;
using polygraphy::ProgressLine;
using polygraphy::ProgressWatch;

// False: sys.stderr is redirected, closed, or no file of the system.
bool writes_to_terminal() {
  PyObject* const stream = PySys_GetObject("stderr");
  if (stream == nullptr || !is_terminal(kStandardError)) return false;
  PyObject* const number = PyObject_CallMethod(stream, "fileno", nullptr);
  const bool is_it = number != nullptr && PyLong_AsLong(number) == kStandardError;
  Py_XDECREF(number);
  PyErr_Clear();
  return is_it;
}

// Jupyter's stream.
bool writes_to_notebook() {
  PyObject* const stream = PySys_GetObject("stderr");
  if (stream == nullptr) return false;
  PyObject* const module =
      PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(stream)), "__module__");
  const char* const name = module ? PyUnicode_AsUTF8AndSize(module, nullptr) : nullptr;
  const bool is_it = name && std::string_view(name).starts_with("ipykernel.");
  Py_XDECREF(module);
  PyErr_Clear();
  return is_it;
}

void draw(const std::string& text) {
  polygraphy::write_all(kStandardError, "\r\x1b[K" + text);
}

}  // namespace

JobProgress::JobProgress() {
  if (writes_to_terminal()) {
    const int known = polygraphy::terminal_columns(kStandardError);
    line_.emplace(ProgressLine::Terminal{draw, polygraphy::seconds_now, known > 0 ? known : 80});
  } else if (writes_to_notebook()) {
    constexpr int kColumns = 100;
    const auto keep = [this](const std::string& text) {
      const std::lock_guard lock(pending_mutex_);
      pending_ = text;
    };
    line_.emplace(ProgressLine::Terminal{keep, polygraphy::seconds_now, kColumns});
  }
}

void JobProgress::tick() {
  if (!line_) return;
  line_->tick();
  write_to_notebook();
}

void JobProgress::write_to_notebook() {
  std::optional<std::string> text;
  {
    const std::lock_guard lock(pending_mutex_);
    text.swap(pending_);
  }
  if (!text) return;
  const size_t length = text->size();
  text->resize(std::max(length, shown_), ' ');
  PySys_WriteStderr("\r%s%s", text->c_str(), length == 0 ? "\r" : "");
  shown_ = length;
  PyObject* const stream = PySys_GetObject("stderr");
  if (stream) Py_XDECREF(PyObject_CallMethod(stream, "flush", nullptr));
  PyErr_Clear();
}

std::unique_ptr<ProgressWatch> JobProgress::watch() {
  if (!line_) return nullptr;
  return std::make_unique<ProgressWatch>(
      [this](std::span<const Progress> phases) { report(phases); });
}

void JobProgress::report(std::span<const Progress> phases) {
  if (!line_) return;
  const std::lock_guard lock(mutex_);
  line_->update(phases);
}

void JobProgress::hide() {
  if (!line_) return;
  const std::lock_guard lock(mutex_);
  line_->hide();
}

void JobProgress::show_again() {
  if (!line_) return;
  const std::lock_guard lock(mutex_);
  line_->show_again();
}

void JobProgress::above(const std::function<void()>& print) {
  if (!line_) return print();
  const std::lock_guard lock(mutex_);
  line_->hide();
  write_to_notebook();
  print();
  line_->show_again();
}

}  // namespace native
