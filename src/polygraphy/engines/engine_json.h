// What plugins tell of models (pgb_inspect), read.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/engines/engine_job.h"

namespace polygraphy {

// `backend`: for messages. Both throw FormatError.
NetworkDescription read_network(std::string_view json, const std::string& backend);
Capability read_capability(std::string_view json, const std::string& backend);

}  // namespace polygraphy
