#include "api/job_progress.h"

#include <string_view>

#include "base/clock.h"
#include "base/os/files/descriptor.h"
#include "base/os/processes/this_process.h"
#include "formats/progress_json.h"

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

PyRef new_bar() {
  const PyRef module = PyRef::take(PyImport_ImportModule("polygraphy_native._notebook"));
  return PyRef::take(PyObject_CallMethod(module.get(), "Bar", nullptr));
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
    bar_ = new_bar();
    const auto keep = [this](const std::string& event) {
      const std::lock_guard lock(pending_mutex_);
      pending_ = event;
    };
    line_.emplace(ProgressLine::Terminal{.draw = keep,
                                         .clock = polygraphy::seconds_now,
                                         .is_log = true,
                                         .render = polygraphy::progress_json});
  }
}

JobProgress::~JobProgress() {
  if (!bar_ || PyErr_Occurred()) return;
  report({});
  move_bar();
}

void JobProgress::tick() {
  if (!line_) return;
  line_->tick();
  move_bar();
}

void JobProgress::move_bar() {
  std::optional<std::string> event;
  {
    const std::lock_guard lock(pending_mutex_);
    event.swap(pending_);
  }
  if (!event) return;
  Py_XDECREF(PyObject_CallMethod(bar_.get(), "show", "s", event->c_str()));
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
  move_bar();
  print();
  line_->show_again();
}

}  // namespace native
