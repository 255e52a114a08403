// Results of check_consistency() as JSON.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/diagnosis/consistency/consistency.h"

namespace polygraphy {

// {"consistent": false, "summary": ..., "rows": [{"engine": ..., "check": ..., ...}, ...], ...}.
// Numbers that are not finite are texts ("Infinity", "NaN"). With a newline at the end.
std::string consistency_json(const ConsistencyResult& result);
// `source` names the text in messages. Throws FormatError.
ConsistencyResult parse_consistency_json(std::string_view json, std::string source);

}  // namespace polygraphy
