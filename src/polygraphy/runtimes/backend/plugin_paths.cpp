#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

PluginPaths paths_of_tree(const std::string& tree) {
  return {.plugin_dirs = {tree + "/lib/polygraphy/backends"},
          .bundled = {tree + "/lib/polygraphy/engines"}};
}

}  // namespace polygraphy
