// Where back ends and the libraries they need are looked for.
#pragma once

#include "cli/environment.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy::cli {

// From the executable's place and the environment:
//  - plugins: POLYGRAPHY_BACKEND_DIR, else <executable>/../lib/polygraphy/backends;
//  - the active Python environment: VIRTUAL_ENV, CONDA_PREFIX;
//  - what set-up brought: POLYGRAPHY_ENGINE_DIR, else <executable>/../lib/polygraphy/engines;
//  - the library variables that the back ends' tables name (POLYGRAPHY_ONNXRT_LIB …).
PluginPaths resolve_plugin_paths(const Environment& env);

}  // namespace polygraphy::cli
