#include "api/keywords.h"

#include "base/error.h"

namespace native {

std::vector<std::string> strings_of(PyObject* sequence) {
  std::vector<std::string> texts;
  for_each(sequence, [&](PyObject* item) { texts.emplace_back(text_of(item)); });
  return texts;
}

double to_double(PyObject* number) {
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
