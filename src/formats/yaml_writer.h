// YAML as PyYAML writes it: in blocks, with keys in their order.
#pragma once

#include <span>
#include <string>

#include "formats/yaml.h"

namespace polygraphy {

// The documents as text, with "---" between them. Values must be nested no deeper than 100 levels.
// Other characters than ASCII are escaped. No documents: an empty text.
std::string yaml_text(std::span<const YamlValue> documents);

}  // namespace polygraphy
