// Options as the Python side gives them: a dict with all of them, checked there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "python_values.h"

namespace native {

std::vector<std::string> strings_of(PyObject* sequence);
double to_double(PyObject* number);

// Calls use(key, value) for the items of a dict, whose keys are texts.
template <typename Use>
void for_each_item(PyObject* dict, Use use) {
  PyObject *key = nullptr, *value = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value) != 0;) {
    use(std::string(text_of(key)), value);
  }
}

// Each throws PythonError: KeyError for a name that is not there, TypeError, ValueError or
// OverflowError with the name in its message for a value that does not suit. Only bools are flags.
class Keywords {
 public:
  // Keeps the dict.
  explicit Keywords(PyObject* dict) : dict_(PyRef::share(dict)) {}

  PyObject* get(const char* name) const;  // borrowed
  bool is_none(const char* name) const { return get(name) == Py_None; }
  bool flag(const char* name) const;
  int64_t integer(const char* name) const;
  // Throws Error for a negative one.
  int64_t count(const char* name) const;
  std::optional<int64_t> optional_integer(const char* name) const;
  std::optional<double> optional_number(const char* name) const;
  // Throws Error unless it is positive.
  std::optional<double> optional_seconds(const char* name) const;
  std::string text(const char* name) const;
  std::optional<std::string> optional_text(const char* name) const;
  std::vector<std::string> texts(const char* name) const;

 private:
  PyRef dict_;
};

}  // namespace native
