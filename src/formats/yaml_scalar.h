// The meaning of texts without quotes in YAML 1.1.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "formats/yaml.h"

namespace polygraphy {

enum class YamlScalar { kText, kNull, kBool, kInteger, kFloat, kDate, kMerge, kDefault };

// The type of an unquoted scalar.
YamlScalar yaml_scalar_type(std::string_view text);

// The value of a scalar of type kBool, kInteger or kFloat. Throws FormatError for integers beyond
// 64 bits, and for other texts.
YamlValue::Data yaml_scalar_value(YamlScalar type, std::string_view text);

// As PyYAML writes it: 1.0, 1.0e-05, .inf, .nan.
std::string yaml_float(double value);

}  // namespace polygraphy
