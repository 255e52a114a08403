#include "api/keywords.h"

#include "base/error.h"

namespace native {
namespace {

// Puts the name of an option in front of the message of a Python exception about its value.
void name_in_message(const char* name) {
  PyObject* const kinds[] = {PyExc_TypeError, PyExc_OverflowError, PyExc_ValueError};
  for (PyObject* const kind : kinds) {
    if (PyErr_ExceptionMatches(kind) == 0) continue;
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_Format(kind, "%s: %S", name, value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return;
  }
}

// The result of `read`, which reads the value of an option.
template <typename Read>
auto named(const char* name, Read read) {
  try {
    return read();
  } catch (const PythonError&) {
    name_in_message(name);
    throw;
  }
}

// NumPy's bool is another type.
bool to_bool(PyObject* value) {
  const PyRef type =
      PyRef::take(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(value)), "__name__"));
  const std::string_view kind = text_of(type.get());
  if (PyBool_Check(value) == 0 && kind != "bool" && kind != "bool_")
    raise(PyExc_TypeError, "True or False is expected, not " + std::string(kind));
  return is_true(value);
}

}  // namespace

std::vector<std::string> strings_of(PyObject* sequence) {
  std::vector<std::string> texts;
  for_each(sequence, [&](PyObject* item) { texts.emplace_back(text_of(item)); });
  return texts;
}

double to_double(PyObject* number) {
  // NumPy converts its complex numbers to reals, with a warning.
  if (PyFloat_Check(number) == 0 && PyObject_HasAttrString(number, "imag") != 0) {
    const PyRef imaginary = PyRef::take(PyObject_GetAttrString(number, "imag"));
    if (is_true(imaginary.get()))
      raise(PyExc_TypeError, "must be a real number, not a complex one");
  }
  const double value = PyFloat_AsDouble(number);
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return value;
}

PyObject* Keywords::get(const char* name) const {
  PyObject* const found = PyDict_GetItemString(dict_.get(), name);
  if (!found) raise(PyExc_KeyError, name);
  return found;
}

bool Keywords::flag(const char* name) const {
  return named(name, [&] { return to_bool(get(name)); });
}

int64_t Keywords::integer(const char* name) const {
  return named(name, [&] { return to_int64(get(name)); });
}

std::string Keywords::text(const char* name) const {
  return named(name, [&] { return std::string(text_of(get(name))); });
}

std::vector<std::string> Keywords::texts(const char* name) const {
  return named(name, [&] { return strings_of(get(name)); });
}

int64_t Keywords::count(const char* name) const {
  const int64_t number = integer(name);
  if (number < 0) {
    throw polygraphy::Error(std::string(name) + " must not be negative, but is " +
                            std::to_string(number) + ".");
  }
  return number;
}

std::optional<int64_t> Keywords::optional_integer(const char* name) const {
  if (is_none(name)) return std::nullopt;
  return integer(name);
}

std::optional<double> Keywords::optional_number(const char* name) const {
  if (is_none(name)) return std::nullopt;
  return named(name, [&] { return to_double(get(name)); });
}

std::optional<double> Keywords::optional_seconds(const char* name) const {
  const auto seconds = optional_number(name);
  if (seconds && !(*seconds > 0))
    throw polygraphy::Error(std::string(name) + " must be a positive number of seconds");
  return seconds;
}

std::optional<std::string> Keywords::optional_text(const char* name) const {
  if (is_none(name)) return std::nullopt;
  return text(name);
}

}  // namespace native
