// Metadata of tensors in messages: [[name, type, [dimensions]], …]; an unknown type is "", an
// unknown shape null, a dimension without a value its name.
#pragma once

#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/user_python/json_value.h"

namespace polygraphy {

JsonValue to_json(const Metadata& metadata);
// Throws Error for types that there are not.
Metadata metadata_from(const JsonValue& json);

}  // namespace polygraphy
