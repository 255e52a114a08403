// What a library takes of a model, as a plugin tells it (pgb_inspect.capability), read.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

// `backend`: for messages. Throws FormatError.
Capability read_capability(std::string_view json, const std::string& backend);

}  // namespace polygraphy
