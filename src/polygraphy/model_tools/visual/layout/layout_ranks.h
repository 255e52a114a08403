// The ranks of a layered layout.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polygraphy/model_tools/visual/layout/layered_layout.h"

namespace polygraphy {

// By longest paths. An edge whose end is not in a greater rank goes back in a cycle. O(nodes +
// edges).
std::vector<size_t> layout_ranks(size_t nodes, std::span<const LayoutEdge> edges);

}  // namespace polygraphy
