#include "buffer_array.h"

#include <utility>

#include "base/arrays/dtype.h"

namespace native {

using polygraphy::Array;
using polygraphy::DataType;
using polygraphy::Shape;

std::shared_ptr<const Py_buffer> buffer_of(PyObject* object) {
  auto buffer = std::make_unique<Py_buffer>();
  check(PyObject_GetBuffer(object, buffer.get(), PyBUF_C_CONTIGUOUS));
  return {buffer.release(), [](Py_buffer* view) {
            const PyGILState_STATE state = PyGILState_Ensure();
            PyBuffer_Release(view);
            PyGILState_Release(state);
            delete view;
          }};
}

polygraphy::Array array_of_buffer(PyObject* object, DataType type, Shape shape) {
  const std::shared_ptr<const Py_buffer> buffer = buffer_of(object);
  Array array = Array::view(type, std::move(shape), buffer->buf, buffer);
  if (array.nbytes() != buffer->len) {
    raise(PyExc_ValueError, "an array of " + std::to_string(array.nbytes()) +
                                " bytes by its type and shape has " + std::to_string(buffer->len));
  }
  return array;
}

}  // namespace native
