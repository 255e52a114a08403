#include "models/python_log.h"

#include <string_view>

#include "python_values.h"

namespace native {
namespace {

// Values that are computed while a model is encoded log when the call has released the lock.
class WithGil {
 public:
  WithGil() : state_(PyGILState_Ensure()) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace

using polygraphy::Logger;
using polygraphy::Once;
using polygraphy::Severity;

Logger logger_of(PyObject* log) {
  Logger logger;
  if (log == nullptr || log == Py_None) return logger;
  logger.set_severity(Severity::kUltraVerbose);
  logger.set_relay(
      [log](Severity severity, std::string_view module, std::string_view text, Once, int) {
        const WithGil locked;
        call(log, static_cast<int>(severity), module, text);
      });
  return logger;
}

}  // namespace native
