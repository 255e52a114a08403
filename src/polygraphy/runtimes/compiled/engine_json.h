// Reads the description of an engine that a plugin returns (pgb_inspect.engine).
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/runtimes/compiled/engine.h"

namespace polygraphy {

// `backend`: for messages. Throws FormatError.
EngineDescription read_engine(std::string_view json, const std::string& backend);

}  // namespace polygraphy
