#include "models/evaluator_options.h"

#include <string>
#include <string_view>

#include "python_values.h"

namespace native {

using graphsurgeon::Partitioning;

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
