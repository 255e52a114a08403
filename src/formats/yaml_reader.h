// YAML 1.1, as PyYAML's safe loader reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/yaml.h"

namespace polygraphy {

// The documents of a text; an empty text has none. `name` stands for the file in messages. Python's
// tuples, which the original writes, become lists. Anchors are supported. Throws FormatError with
// the line for malformed YAML, tags, dates, keys other than texts, numbers beyond 64 bits, repeated
// keys, and beyond the limits: 64 MiB of text, 100 levels, 4 million values after aliases are
// replaced.
std::vector<YamlValue> read_yaml(std::string_view text, const std::string& name);

}  // namespace polygraphy
