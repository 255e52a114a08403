#include "api/yaml_values.h"

#include <string>
#include <utility>
#include <variant>

#include "api/keywords.h"

namespace native {

using polygraphy::YamlValue;

namespace {

struct PythonValue {
  PyRef operator()(std::monostate) const { return none(); }
  template <typename Scalar>
  PyRef operator()(const Scalar& value) const {
    return to_python(value);
  }
  PyRef operator()(const YamlValue::List& items) const {
    return list_of(items, [](const YamlValue& each) { return to_python(each); });
  }
  PyRef operator()(const YamlValue::Map& entries) const {
    PyRef dict = PyRef::take(PyDict_New());
    for (const auto& [key, value] : entries)
      check(PyDict_SetItem(dict.get(), to_python(key).get(), to_python(value).get()));
    return dict;
  }
};

}  // namespace

PyRef to_python(const YamlValue& value) {
  return std::visit(PythonValue(), value.data);
}

YamlValue yaml_of(PyObject* object) {
  if (object == Py_None) return {};
  if (PyBool_Check(object)) return YamlValue(object == Py_True);
  if (PyLong_Check(object)) return YamlValue(to_int64(object));
  if (PyFloat_Check(object)) return YamlValue(to_double(object));
  if (PyUnicode_Check(object)) return YamlValue(std::string(text_of(object)));
  if (PyDict_Check(object)) {
    YamlValue::Map entries;
    for_each_item(
        object, [&](const std::string& key, PyObject* value) { entries.set(key, yaml_of(value)); });
    return YamlValue(std::move(entries));
  }
  if (!PyList_Check(object) && !PyTuple_Check(object))
    raise(PyExc_TypeError, "a configuration has numbers, texts, lists and dicts only");
  YamlValue::List items;
  for_each(object, [&](PyObject* item) { items.push_back(yaml_of(item)); });
  return YamlValue(std::move(items));
}

}  // namespace native
