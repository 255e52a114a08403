// The back ends that runners and loaders of programs share.
#pragma once

#include "polygraphy/facade/backend_runners.h"

namespace polygraphy {

// The host of the options, or the one that all of their tree share: opened once for the whole
// process, and never closed, as vendors' libraries are not.
PluginHost& host_of(const BackendRunnerOptions& options);

}  // namespace polygraphy
