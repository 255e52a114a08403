// Errors of the Python API, and messages for Python's `logging`.
#pragma once

#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "python_api.h"

namespace native {

// Sets a polygraphy_native.Error and throws PythonError.
[[noreturn]] void raise_error(const polygraphy::Error& error);

// guarded() with that class of errors.
struct Reported {
  template <typename Run>
  PyObject* operator()(Run&& run) const noexcept {
    return guarded([&]() -> PyRef {
      try {
        return run();
      } catch (const polygraphy::Interrupted&) {
        throw;
      } catch (const polygraphy::Error& error) {
        raise_error(error);
      }
    });
  }
};
inline constexpr Reported reported;

// The least severity that a log handler accepts. Throws PythonError.
polygraphy::Severity logging_threshold();
// Hands a message over. Throws PythonError: what a handler of the user raises.
void log_in_python(polygraphy::Severity severity, std::string_view module, std::string_view text);

}  // namespace native
