// The ranks of a layered layout.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polygraphy/model_tools/visual/layout/layered_layout.h"

namespace polygraphy {

// Which nodes are inputs, or depend on one; no inputs: all. O(nodes + edges).
std::vector<bool> dependents(size_t nodes, std::span<const LayoutEdge> edges,
                             std::span<const size_t> inputs);

// By longest paths, then down to readers (layered_layout.h). An edge that does not end in a greater
// rank goes back in a cycle. `depends`: dependents(). O(nodes + edges).
std::vector<size_t> layout_ranks(size_t nodes, std::span<const LayoutEdge> edges,
                                 const std::vector<bool>& depends);

}  // namespace polygraphy
