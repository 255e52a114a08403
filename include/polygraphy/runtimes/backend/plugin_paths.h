// Search paths of plugins and of the libraries that they open.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace polygraphy {

// The command line fills it from the place of the executable and the environment, the façade from a
// tree and the variables of libraries; other libraries never read the environment.
struct PluginPaths {
  // Folders of polygraphy_<name>.so (BackendCatalog).
  std::vector<std::string> plugin_dirs = {};
  // Folders of the active Python environment (VIRTUAL_ENV, CONDA_PREFIX).
  std::vector<std::string> site_packages = {};
  // Folders from set-up: libraries lie in them, or in <dir>/<product>/lib or libs.
  std::vector<std::string> bundled = {};
  // (back end, path), from environment variables.
  std::vector<std::pair<std::string, std::string>> library_env = {};
  // The user's interpreter, in which some back ends run: a path, or a name to search in PATH.
  std::string python = "python3";
};

// The paths of an installed or built tree, with lib/polygraphy/backends and lib/polygraphy/engines
// in it (kTree of backend_runners.h is the tree of the linked package).
PluginPaths paths_of_tree(const std::string& tree);

}  // namespace polygraphy
