// Where a back end's vendor library may be.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/backend.h"

namespace polygraphy {

struct PluginPaths;

// Paths and sonames to try, best first: the active Python environment, libraries of set-up, the
// system's loader. A file that is there under several names is listed once. Reads the named folders
// only.
std::vector<std::string> library_candidates(const pgb_backend_options& backend,
                                            const PluginPaths& paths);

}  // namespace polygraphy
