// Metadata of tensors in messages: [[name, type, [dimensions]], …]; an unknown type is "", an
// unknown shape null, a dimension without a value its name.
#pragma once

#include "polygraphy/python/json_value.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy {

JsonValue to_json(const Metadata& metadata);
// Throws Error for types that there are not.
Metadata metadata_from(const JsonValue& json);

}  // namespace polygraphy
