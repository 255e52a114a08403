// Messages of the libraries for functions of Python.
#pragma once

#include "base/log.h"
#include "python_api.h"

namespace native {

// Calls `log(severity, module, text)` with every message, without the prefix and the indentation of
// a printed one; drops messages for null and None. `log` must outlive it.
polygraphy::Logger logger_of(PyObject* log);

}  // namespace native
