// A network of an engine's builder as text.
#pragma once

#include <string>

#include "polygraphy/engines/engine_job.h"

namespace polygraphy {

// As `inspect model --display-as trt` shows it. `layers`: each of them, too. O(network).
std::string network_text(const NetworkDescription& network, bool layers);

}  // namespace polygraphy
