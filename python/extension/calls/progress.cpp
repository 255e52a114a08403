#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/job_progress.h"
#include "api/reporting.h"
#include "calls/api_functions.h"

namespace native {
namespace {

constexpr const char* kCapsule = "polygraphy_native.progress_line";

JobProgress& line_of(PyObject* capsule) {
  auto* const line = static_cast<JobProgress*>(PyCapsule_GetPointer(capsule, kCapsule));
  if (line == nullptr) throw PythonError();
  return *line;
}

void destroy(PyObject* capsule) {
  delete static_cast<JobProgress*>(PyCapsule_GetPointer(capsule, kCapsule));
}

}  // namespace

PyObject* progress_line(PyObject*, PyObject*) {
  return reported([&] {
    auto line = std::make_unique<JobProgress>();
    if (!line->is_shown()) return none();
    PyRef capsule = PyRef::take(PyCapsule_New(line.get(), kCapsule, destroy));
    static_cast<void>(line.release());
    return capsule;
  });
}

PyObject* report_progress(PyObject*, PyObject* args) {
  return reported([&] {
    PyObject *line = nullptr, *total = nullptr;
    const char* phase = nullptr;
    long long done = 0;
    if (PyArg_ParseTuple(args, "OsLO", &line, &phase, &done, &total) == 0) throw PythonError();
    polygraphy::Progress progress{.phase = phase, .done = done};
    if (total != Py_None) progress.total = to_int64(total);
    line_of(line).report({&progress, 1});
    line_of(line).tick();
    return none();
  });
}

PyObject* hide_progress(PyObject*, PyObject* line) {
  return reported([&] {
    line_of(line).hide();
    line_of(line).tick();
    return none();
  });
}

PyObject* show_progress(PyObject*, PyObject* line) {
  return reported([&] {
    line_of(line).show_again();
    return none();
  });
}

}  // namespace native
