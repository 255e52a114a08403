#include "buffer_array.h"

#include <string>
#include <utility>
#include <vector>

#include "base/arrays/dtype.h"
#include "python_functions.h"
#include "python_values.h"

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

PyRef to_python(const Shape& shape) {
  return tuple_of(shape, [](int64_t dim) { return to_python(dim); });
}

Shape shape_of(PyObject* dims) {
  Shape shape;
  for_each(dims, [&](PyObject* dim) { shape.push_back(to_int64(dim)); });
  return shape;
}

Array array_of_buffer(PyObject* object, DataType type, Shape shape) {
  const std::shared_ptr<const Py_buffer> buffer = buffer_of(object);
  Array array = Array::view(type, std::move(shape), buffer->buf, buffer);
  if (array.nbytes() != buffer->len) {
    raise(PyExc_ValueError, "an array of " + std::to_string(array.nbytes()) +
                                " bytes by its type and shape has " + std::to_string(buffer->len));
  }
  return array;
}

Array given_array(PyObject* tuple) {
  const auto [values, number, dims] = items_of<PyObject*, int, PyObject*>(tuple);
  const auto type = static_cast<DataType>(number);
  if (type != DataType::kString) return array_of_buffer(values, type, shape_of(dims));
  std::vector<std::string> texts;
  for_each(values, [&](PyObject* text) { texts.emplace_back(bytes_of(text)); });
  return Array::from_strings(shape_of(dims), std::move(texts));
}

}  // namespace native
