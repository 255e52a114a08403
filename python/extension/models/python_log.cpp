#include "models/python_log.h"

#include <string_view>

namespace native {

using polygraphy::Logger;
using polygraphy::Once;
using polygraphy::Severity;

Logger logger_of(PyObject* log) {
  Logger logger;
  if (log == nullptr || log == Py_None) return logger;
  logger.set_severity(Severity::kUltraVerbose);
  logger.set_relay(
      [log](Severity severity, std::string_view module, std::string_view text, Once, int) {
        PyRef::take(PyObject_CallFunction(log, "iNN", static_cast<int>(severity),
                                          to_python(module).release(), to_python(text).release()));
      });
  return logger;
}

}  // namespace native
