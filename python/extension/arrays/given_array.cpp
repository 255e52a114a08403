#include "given_array.h"

#include <utility>

#include "base/arrays/dtype.h"
#include "buffer_array.h"

namespace native {

using polygraphy::DataType;
using polygraphy::Shape;

polygraphy::Array given_array(PyObject* tuple) {
  PyObject *buffer = nullptr, *dims = nullptr;
  int type = 0;
  if (PyArg_ParseTuple(tuple, "OiO", &buffer, &type, &dims) == 0) throw PythonError();
  Shape shape;
  for_each(dims, [&](PyObject* dim) { shape.push_back(to_int64(dim)); });
  return array_of_buffer(buffer, static_cast<DataType>(type), std::move(shape));
}

}  // namespace native
