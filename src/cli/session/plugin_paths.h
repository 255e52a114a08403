// Search paths of back ends and of the libraries they load.
#pragma once

#include <string>
#include <vector>

#include "cli/session/environment.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy::cli {

// Folders of plugins: POLYGRAPHY_BACKEND_DIR, else <executable>/../lib/polygraphy/backends (below
// the Python package where the executable came with it); then the user's in POLYGRAPHY_BACKENDS,
// with colons between them; then Environment::backend_paths, files too.
std::vector<std::string> plugin_folders(const Environment& env);

// The folders of resolve_plugin_paths(), without a look into them.
PluginPaths library_folders(const Environment& env);

// From the executable's place and the environment:
//  - plugins: plugin_folders();
//  - python_environments(), and find_python();
//  - libraries of set-up: POLYGRAPHY_ENGINE_DIR, else <executable>/../lib/polygraphy/engines;
//  - the library variables that the back ends' tables name (POLYGRAPHY_ONNXRT_LIB …).
// Throws Error when two plugins clash (BackendCatalog).
PluginPaths resolve_plugin_paths(const Environment& env);

}  // namespace polygraphy::cli
