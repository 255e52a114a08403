// Descriptions of networks and configurations as options of the back end.
#pragma once

#include "polygraphy/facade/tensorrt_loaders.h"

namespace polygraphy {

BackendOptions options_of(const TrtNetwork& network);
BackendOptions options_of(const TrtConfig& config);

}  // namespace polygraphy
