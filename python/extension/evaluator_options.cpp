#include "evaluator_options.h"

#include <string>
#include <string_view>

namespace native {

using graphsurgeon::Partitioning;

std::optional<int64_t> optional_int(PyObject* number) {
  if (number == Py_None) return std::nullopt;
  const long long value = PyLong_AsLongLong(number);
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return value;
}

Partitioning partitioning_named(const char* name) {
  if (name == nullptr) return Partitioning::kNone;
  if (std::string_view(name) == "basic") return Partitioning::kBasic;
  if (std::string_view(name) == "recursive") return Partitioning::kRecursive;
  raise(PyExc_ValueError, "no kind of partitioning: " + std::string(name));
}

polygraphy::PluginPaths plugin_paths(const char* tree, PyObject* folders) {
  polygraphy::PluginPaths paths = polygraphy::paths_of_tree(tree);
  const PyRef list = PyRef::take(PySequence_List(folders));
  for (Py_ssize_t i = 0; i < PyList_Size(list.get()); ++i) {
    paths.site_packages.emplace_back(text_of(PyList_GetItem(list.get(), i)));
  }
  return paths;
}

}  // namespace native
