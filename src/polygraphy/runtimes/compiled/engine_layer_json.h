// Reads a layer of an engine as TensorRT's inspector describes it.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/runtimes/compiled/engine.h"

namespace polygraphy {

// An object with "Name", "LayerType", "Inputs" …; a text where the engine keeps names only, which
// is the layer's name then; nothing where it keeps less. Throws FormatError.
EngineLayer read_engine_layer(std::string_view json, const std::string& source);

}  // namespace polygraphy
