// The fewest nodes that have to stay in a higher precision.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

// A minimal set of positions for which `passes` is true: without any one of them it is false. It is
// true for all positions and false for the empty set. `kinds`: the operator at each position.
// Searches first for a single position, with about log2(n) calls, then for the necessary kinds,
// then for positions of these kinds. No set is tested twice.
Part fewest_kept(const std::vector<std::string>& kinds, const PartTest& passes);

}  // namespace polygraphy
