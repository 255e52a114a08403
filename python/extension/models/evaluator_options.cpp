#include "models/evaluator_options.h"

#include <string>
#include <string_view>

namespace native {

using graphsurgeon::Partitioning;

std::optional<int64_t> optional_int(PyObject* number) {
  if (number == Py_None) return std::nullopt;
  return to_int64(number);
}

Partitioning partitioning_named(const char* name) {
  if (name == nullptr) return Partitioning::kNone;
  if (std::string_view(name) == "basic") return Partitioning::kBasic;
  if (std::string_view(name) == "recursive") return Partitioning::kRecursive;
  raise(PyExc_ValueError, "no kind of partitioning: " + std::string(name));
}

polygraphy::PluginPaths plugin_paths(const char* tree, PyObject* folders) {
  polygraphy::PluginPaths paths = polygraphy::paths_of_tree(tree);
  for_each(folders, [&](PyObject* folder) { paths.site_packages.emplace_back(text_of(folder)); });
  return paths;
}

}  // namespace native
