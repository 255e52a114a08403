// Results of check_consistency() as JSON.
#pragma once

#include <string>

#include "polygraphy/diagnosis/consistency/consistency.h"

namespace polygraphy {

// {"consistent": false, "summary": ..., "rows": [{"engine": ..., "check": ..., ...}, ...], ...}.
// Numbers that are not finite are texts ("Infinity", "NaN"). With a newline at the end.
std::string consistency_json(const ConsistencyResult& result);

}  // namespace polygraphy
