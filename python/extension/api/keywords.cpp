#include "api/keywords.h"

#include "base/error.h"

namespace native {

std::vector<std::string> strings_of(PyObject* sequence) {
  std::vector<std::string> texts;
  for_each(sequence, [&](PyObject* item) { texts.emplace_back(text_of(item)); });
  return texts;
}

double to_double(PyObject* number) {
  // NumPy converts its complex numbers to reals, with a warning.
  if (PyFloat_Check(number) == 0 && PyObject_HasAttrString(number, "imag") != 0) {
    const PyRef imaginary = PyRef::take(PyObject_GetAttrString(number, "imag"));
    const int has_any = PyObject_IsTrue(imaginary.get());
    check(has_any);
    if (has_any != 0) raise(PyExc_TypeError, "must be a real number, not a complex one");
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
  const int set = PyObject_IsTrue(get(name));
  check(set);
  return set == 1;
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
  return to_double(get(name));
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
