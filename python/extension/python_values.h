// Values of C++ as Python objects, and the reverse.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "python_api.h"

namespace native {

inline PyRef none() {
  return PyRef::share(Py_None);
}
template <std::convertible_to<std::string_view> Text>
PyRef to_python(const Text& value) {
  const std::string_view text = value;
  return PyRef::take(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}
template <typename Number>
  requires std::is_arithmetic_v<Number>
PyRef to_python(Number value) {
  if constexpr (std::is_same_v<Number, bool>) {
    return PyRef::share(value ? Py_True : Py_False);
  } else if constexpr (std::is_integral_v<Number>) {
    return PyRef::take(PyLong_FromLongLong(static_cast<long long>(value)));
  } else {
    return PyRef::take(PyFloat_FromDouble(value));
  }
}
inline PyRef to_python(PyRef object) {
  return object;
}
inline PyRef to_python(PyObject* borrowed) {
  return PyRef::share(borrowed);
}
template <typename T>
PyRef to_python(const std::optional<T>& value) {
  return value ? to_python(*value) : none();
}
inline PyRef to_bytes(std::string_view bytes) {
  return PyRef::take(
      PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size())));
}

// A tuple of these values.
template <typename... Values>
PyRef tuple(const Values&... values) {
  return PyRef::take(
      PyTuple_Pack(static_cast<Py_ssize_t>(sizeof...(values)), to_python(values).get()...));
}
// The answer of a callable to these arguments.
template <typename... Values>
PyRef call(PyObject* callable, const Values&... arguments) {
  return PyRef::take(PyObject_CallObject(callable, tuple(arguments...).get()));
}
// A list of convert(each).
template <typename Items, typename Convert>
PyRef list_of(const Items& items, Convert convert) {
  PyRef list = PyRef::take(PyList_New(static_cast<Py_ssize_t>(std::size(items))));
  Py_ssize_t at = 0;
  for (const auto& each : items) check(PyList_SetItem(list.get(), at++, convert(each).release()));
  return list;
}
template <typename Items, typename Convert>
PyRef tuple_of(const Items& items, Convert convert) {
  return PyRef::take(PyList_AsTuple(list_of(items, convert).get()));
}
struct Field {
  template <typename Value>
  Field(const char* name_of_it, const Value& its_value)
      : name(name_of_it), value(to_python(its_value)) {}
  const char* name;
  PyRef value;
};
// A dict of these.
inline PyRef fields(std::initializer_list<Field> members) {
  PyRef dict = PyRef::take(PyDict_New());
  for (const auto& [name, value] : members)
    check(PyDict_SetItemString(dict.get(), name, value.get()));
  return dict;
}

// UTF-8, valid as long as the object. Throws PythonError for an object other than a str.
inline std::string_view text_of(PyObject* object) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object, &size);
  if (!text) throw PythonError();
  return {text, static_cast<size_t>(size)};
}

// Valid as long as the object. Throws PythonError for an object other than bytes.
inline std::string_view bytes_of(PyObject* object) {
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  check(PyBytes_AsStringAndSize(object, &bytes, &size));
  return {bytes, static_cast<size_t>(size)};
}

// Throws PythonError for an object other than an int, or beyond 64 bits.
inline int64_t to_int64(PyObject* number) {
  const PyRef index = PyRef::take(PyNumber_Index(number));
  const long long value = PyLong_AsLongLong(index.get());
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return value;
}

// As `if` sees it. Throws PythonError: what the object raises.
inline bool is_true(PyObject* object) {
  const int result = PyObject_IsTrue(object);
  check(result);
  return result == 1;
}

// Calls use(item) for the items of a sequence, as long as there are any: `use` may change it.
template <typename Use>
void for_each(PyObject* sequence, Use use) {
  const PyRef list =
      PyList_Check(sequence) ? PyRef::share(sequence) : PyRef::take(PySequence_List(sequence));
  for (Py_ssize_t i = 0; i < PyList_Size(list.get()); ++i) {
    use(PyRef::share(PyList_GetItem(list.get(), i)).get());
  }
}

// A member of a module.
inline PyRef imported(const char* module, const char* member) {
  const PyRef found = PyRef::take(PyImport_ImportModule(module));
  return PyRef::take(PyObject_GetAttrString(found.get(), member));
}

}  // namespace native
