#include "polygraphy/facade/program_paths.h"

#include <cstdlib>

#include "polygraphy/backend.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy {

PluginPaths paths_of_program(const std::string& tree) {
  PluginPaths paths = paths_of_tree(tree);
  for (const pgb_backend_options* backend : BackendCatalog(paths.plugin_dirs).tables()) {
    if (!backend->library_env) continue;
    const char* library = std::getenv(backend->library_env);
    if (library && *library) paths.library_env.emplace_back(backend->name, library);
  }
  return paths;
}

}  // namespace polygraphy
