// `inspect model --combine-tensor-info`: statistics of the tensors of an engine.
#pragma once

#include <string>

#include "base/log.h"
#include "polygraphy/runtimes/compiled/engine.h"

namespace polygraphy {

// Adds minimum, maximum and mean of the layers' tensors to their `docstring`, from the first
// iteration in a file of saved outputs. Throws Error.
void combine_tensor_info(EngineDescription& engine, const std::string& path, Logger& log);

}  // namespace polygraphy
