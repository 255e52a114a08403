// Results of locate() as JSON.
#pragma once

#include <string>

#include "polygraphy/diagnosis/locate/locate_result.h"

namespace polygraphy {

// {"verdict": "guilty", "nodes": [{"rank": 1, "node": ...}, ...], ...}: all nodes, ranked. Numbers
// that are not finite are texts ("Infinity", "NaN"). With a newline at the end.
std::string locate_json(const LocateResult& result);

}  // namespace polygraphy
