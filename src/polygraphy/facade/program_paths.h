// The paths of programs that have no command line.
#pragma once

#include <string>

#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

// Those of the tree, and the libraries that environment variables name (POLYGRAPHY_ONNXRT_LIB …).
// Throws Error when two plugins clash.
PluginPaths paths_of_program(const std::string& tree);

}  // namespace polygraphy
