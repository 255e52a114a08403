// Reads attributes of layers as a plugin reports them (pgb_inspect.network).
#pragma once

#include <memory>
#include <string_view>

#include "formats/json_reader.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// The bytes behind the JSON; empty without an owner.
struct WeightBytes {
  std::string_view bytes = {};
  std::shared_ptr<const void> owner = {};
};

// Throws FormatError.
LayerAttribute read_attribute(JsonReader& json, const WeightBytes& weights);

}  // namespace polygraphy
