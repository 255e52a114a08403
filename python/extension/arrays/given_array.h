// Arrays of NumPy as functions of the extension take them: (buffer, element type, shape).
#pragma once

#include "base/arrays/array.h"
#include "python_api.h"

namespace native {

// The array that such a tuple says, which views the buffer and keeps it. Element types are the
// numbers of ONNX. Throws PythonError: another tuple, no contiguous buffer, another number of
// bytes.
polygraphy::Array given_array(PyObject* tuple);

}  // namespace native
