// Arrays of Python as arrays of the library, without a copy.
#pragma once

#include <memory>

#include "base/arrays/array.h"
#include "python_api.h"

namespace native {

// The buffer of an object that has one, in C order. It is given back with the last reference, which
// must go where the interpreter's lock is held: the caller keeps one for as long as it is not.
// Throws PythonError: no contiguous buffer.
std::shared_ptr<const Py_buffer> buffer_of(PyObject* object);

// An array that views such a buffer and keeps it. Throws PythonError: another number of bytes than
// type and shape say.
polygraphy::Array array_of_buffer(PyObject* object, polygraphy::DataType type,
                                  polygraphy::Shape shape);

}  // namespace native
