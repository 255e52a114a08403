#include "api/array_object.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/keywords.h"
#include "arrays/buffer_array.h"
#include "base/arrays/packing.h"
#include "python_class.h"
#include "python_functions.h"

namespace native {

using polygraphy::Array;
using polygraphy::DataType;
using polygraphy::Value;

namespace {

using BytesClass = PythonClass<Array>;

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  const auto bytes = BytesClass::of(object).bytes();
  return PyBuffer_FillInfo(view, object, const_cast<std::byte*>(bytes.data()),
                           static_cast<Py_ssize_t>(bytes.size()), 1, flags);
}

PyRef bytes_of(const Array& array) {
  const DataType type = array.dtype();
  // Elements of NumPy and ml_dtypes lie at multiples of their size, complex ones of half of it.
  const int width = std::max(polygraphy::bit_width(type) / 8, 1);
  return BytesClass::object(polygraphy::is_packed(type)
                                ? polygraphy::unpack(array)
                                : array.contiguous_aligned(static_cast<size_t>(width)));
}

}  // namespace

PyRef make_array_bytes_class() {
  return BytesClass::make("polygraphy_native._native.ArrayBytes",
                          "The bytes of an array, read-only.",
                          {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)}});
}

PyRef to_python(const Array& array) {
  return tuple(
      array.dtype() == DataType::kString ? list_of(array.strings(), to_bytes) : bytes_of(array),
      polygraphy::name_of(array.dtype()), to_python(array.shape()));
}

Array array_of(PyObject* tuple) {
  const auto [values, number, dims] = items_of<PyObject*, int, PyObject*>(tuple);
  const auto type = static_cast<DataType>(number);
  if (!polygraphy::is_packed(type)) return given_array(tuple);
  const DataType unpacked =
      polygraphy::kind_of(type) == polygraphy::Kind::kSigned ? DataType::kInt8 : DataType::kUint8;
  return polygraphy::pack(array_of_buffer(values, unpacked, shape_of(dims)), type);
}

Value value_of(PyObject* object) {
  if (object == Py_None) return {};
  if (!PyList_Check(object)) return array_of(object);
  Value::Sequence items;
  for_each(object, [&](PyObject* item) { items.push_back(value_of(item)); });
  return items;
}

polygraphy::ValueMap values_of_dict(PyObject* dict) {
  polygraphy::ValueMap values;
  for_each_item(dict, [&](std::string name, PyObject* value) {
    values.set(std::move(name), value_of(value));
  });
  return values;
}

}  // namespace native
