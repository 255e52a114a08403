// Reads tensors in the descriptions that plugins return (pgb_inspect).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/json_reader.h"
#include "formats/record_json.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// They throw FormatError.
// Negative sizes are open ones.
DimList read_shape(JsonReader& json);
// `executed`, if not null, becomes false where one of them is not made by the execution.
NamedTensors read_tensors(JsonReader& json, bool* executed = nullptr);

}  // namespace polygraphy
