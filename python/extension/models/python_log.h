// Messages of the libraries for functions of Python.
#pragma once

#include "base/log.h"
#include "python_api.h"

namespace native {

// Calls `log(severity, module, text)` with every message, without the prefix and the indentation of
// a printed one; drops messages for null and None. `log` must outlive it. For messages of the
// thread of the Python call only, whether it holds the interpreter's lock or has released it: no
// other thread could wait for that lock, and keep the exception of a `log` that raises.
polygraphy::Logger logger_of(PyObject* log);

}  // namespace native
