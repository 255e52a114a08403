// Results of find_sensitivity() as JSON.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// {"format": "int8", "limit": 0.01, "answer": ..., "layers": [{"nodes": [...], ...}, ...], ...}.
// Numbers that are not finite are texts ("Infinity", "NaN"). With a newline at the end.
std::string sensitivity_json(const SensitivityResult& result);
// `source` names the text in messages. Throws FormatError.
SensitivityResult parse_sensitivity_json(std::string_view json, std::string source);

}  // namespace polygraphy
