#include "api/array_object.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/keywords.h"
#include "arrays/given_array.h"
#include "base/arrays/packing.h"

namespace native {

using polygraphy::Array;
using polygraphy::DataType;
using polygraphy::Shape;
using polygraphy::Value;

namespace {

struct ArrayBytes {
  PyObject_HEAD Array array;
};

PyObject* bytes_class = nullptr;

ArrayBytes& self_of(PyObject* object) {
  return *reinterpret_cast<ArrayBytes*>(object);
}

void deallocate(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  self_of(object).array.~Array();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  const auto bytes = self_of(object).array.bytes();
  return PyBuffer_FillInfo(view, object, const_cast<std::byte*>(bytes.data()),
                           static_cast<Py_ssize_t>(bytes.size()), 1, flags);
}

PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>("The bytes of an array, read-only.")},
                       {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                       {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                       {0, nullptr}};
PyType_Spec spec = {"polygraphy_native._native.ArrayBytes", sizeof(ArrayBytes), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyRef texts_of(const Array& array) {
  PyRef list = PyRef::take(PyList_New(0));
  for (const std::string& text : array.strings()) {
    check(PyList_Append(list.get(), to_bytes(text).get()));
  }
  return list;
}

PyRef bytes_of(const Array& array) {
  const DataType type = array.dtype();
  // Elements of NumPy and ml_dtypes lie at multiples of their size, complex ones of half of it.
  const int width = std::max(polygraphy::bit_width(type) / 8, 1);
  Array dense = polygraphy::is_packed(type) ? polygraphy::unpack(array)
                                            : array.contiguous_aligned(static_cast<size_t>(width));
  PyRef object = PyRef::take(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(bytes_class), 0));
  new (&self_of(object.get()).array) Array(std::move(dense));
  return object;
}

Shape shape_of(PyObject* dims) {
  Shape shape;
  for_each(dims, [&](PyObject* dim) { shape.push_back(to_int64(dim)); });
  return shape;
}

Array strings_array(PyObject* texts, PyObject* dims) {
  std::vector<std::string> values;
  for_each(texts, [&](PyObject* item) {
    char* text = nullptr;
    Py_ssize_t size = 0;
    check(PyBytes_AsStringAndSize(item, &text, &size));
    values.emplace_back(text, static_cast<size_t>(size));
  });
  return Array::from_strings(shape_of(dims), std::move(values));
}

}  // namespace

PyRef make_array_bytes_class() {
  PyRef type = PyRef::take(PyType_FromSpec(&spec));
  bytes_class = Py_NewRef(type.get());
  return type;
}

PyRef to_python(const Shape& shape) {
  PyRef tuple = PyRef::take(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
  for (size_t i = 0; i < shape.size(); ++i) {
    check(PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), to_python(shape[i]).release()));
  }
  return tuple;
}

PyRef to_python(const Array& array) {
  const PyRef values = array.dtype() == DataType::kString ? texts_of(array) : bytes_of(array);
  return PyRef::take(Py_BuildValue("(ONN)", values.get(),
                                   to_python(polygraphy::name_of(array.dtype())).release(),
                                   to_python(array.shape()).release()));
}

Array array_of(PyObject* tuple) {
  PyObject *values = nullptr, *dims = nullptr;
  int number = 0;
  if (PyArg_ParseTuple(tuple, "OiO", &values, &number, &dims) == 0) throw PythonError();
  const auto type = static_cast<DataType>(number);
  if (type == DataType::kString) return strings_array(values, dims);
  if (!polygraphy::is_packed(type)) return given_array(tuple);
  const DataType unpacked =
      polygraphy::kind_of(type) == polygraphy::Kind::kSigned ? DataType::kInt8 : DataType::kUint8;
  const PyRef bytes = PyRef::take(Py_BuildValue("(OiO)", values, static_cast<int>(unpacked), dims));
  return polygraphy::pack(given_array(bytes.get()), type);
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
