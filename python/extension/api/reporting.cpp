#include "api/reporting.h"

#include "python_values.h"

namespace native {
namespace {

constexpr const char* kModule = "polygraphy_native._reporting";

}  // namespace

void raise_error(const polygraphy::Error& error) {
  const PyRef type = imported(kModule, "Error");
  PyErr_SetObject(type.get(), call(type.get(), error.what(), error.hint()).get());
  throw PythonError();
}

polygraphy::Severity logging_threshold() {
  return static_cast<polygraphy::Severity>(
      to_int64(call(imported(kModule, "_threshold").get()).get()));
}

void log_in_python(polygraphy::Severity severity, std::string_view module, std::string_view text) {
  call(imported(kModule, "_log").get(), static_cast<int>(severity), module, text);
}

}  // namespace native
