// Reads the capability of a library for a model as a plugin reports it (pgb_inspect.capability).
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

// `backend`: for messages. Throws FormatError.
Capability read_capability(std::string_view json, const std::string& backend);

}  // namespace polygraphy
