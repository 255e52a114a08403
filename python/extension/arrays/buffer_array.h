// Arrays of Python as arrays of the library, without a copy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/arrays/array.h"
#include "python_api.h"

namespace native {

// The buffer of an object that has one, in C order. It is given back with the last reference, which
// may go anywhere: in other threads, too, and without the interpreter's lock. Throws PythonError:
// no contiguous buffer.
std::shared_ptr<const Py_buffer> buffer_of(PyObject* object);

// The writable buffer of an object that has one, in C order, while the interpreter's lock is held
// at both ends. Throws PythonError: none of that kind.
class WritableBuffer {
 public:
  explicit WritableBuffer(PyObject* object) {
    check(PyObject_GetBuffer(object, &buffer_, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS));
  }
  ~WritableBuffer() { PyBuffer_Release(&buffer_); }
  WritableBuffer(const WritableBuffer&) = delete;
  WritableBuffer& operator=(const WritableBuffer&) = delete;

  std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(buffer_.buf), static_cast<size_t>(buffer_.len)};
  }

 private:
  Py_buffer buffer_;
};

// A tuple of numbers, and the shape in a sequence of them.
PyRef to_python(const polygraphy::Shape& shape);
polygraphy::Shape shape_of(PyObject* dims);

// An array that views such a buffer and keeps it. Throws PythonError: another number of bytes than
// type and shape say.
polygraphy::Array array_of_buffer(PyObject* object, polygraphy::DataType type,
                                  polygraphy::Shape shape);
// The same of a tuple (buffer, element type as the number of ONNX, shape), as functions of the
// extension take arrays; texts are a list of bytes. Throws PythonError for another tuple.
polygraphy::Array given_array(PyObject* tuple);

}  // namespace native
