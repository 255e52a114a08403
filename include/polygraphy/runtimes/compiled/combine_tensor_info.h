// `inspect model --combine-tensor-info`: what the tensors of an engine were.
#pragma once

#include <string>

#include "base/log.h"
#include "polygraphy/runtimes/compiled/engine.h"

namespace polygraphy {

// Adds the least, the greatest and the mean value to what is said of the layers' tensors
// (`docstring`): those of the first iteration in a file of saved outputs. Throws Error.
void combine_tensor_info(EngineDescription& engine, const std::string& path, Logger& log);

}  // namespace polygraphy
