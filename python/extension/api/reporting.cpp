#include "api/reporting.h"

namespace native {
namespace {

// A member of polygraphy_native._reporting.
PyRef reporting(const char* name) {
  const PyRef module = PyRef::take(PyImport_ImportModule("polygraphy_native._reporting"));
  return PyRef::take(PyObject_GetAttrString(module.get(), name));
}

}  // namespace

void raise_error(const polygraphy::Error& error) {
  const PyRef type = reporting("Error");
  const PyRef value = PyRef::take(PyObject_CallFunction(
      type.get(), "NN", to_python(error.what()).release(), to_python(error.hint()).release()));
  PyErr_SetObject(type.get(), value.get());
  throw PythonError();
}

polygraphy::Severity logging_threshold() {
  const PyRef threshold = PyRef::take(PyObject_CallNoArgs(reporting("_threshold").get()));
  return static_cast<polygraphy::Severity>(to_int64(threshold.get()));
}

void log_in_python(polygraphy::Severity severity, std::string_view module, std::string_view text) {
  PyRef::take(PyObject_CallFunction(reporting("_log").get(), "iNN", static_cast<int>(severity),
                                    to_python(module).release(), to_python(text).release()));
}

}  // namespace native
