// Caches of a decoder in a coarser number format than the one that it computes in.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// For tensors of the main graph: the nodes (Cast, QuantizeLinear with constant steps) that make
// numbers of these caches of them. The next step reads the tensor as the cache has it, so for other
// nodes it is off by that rounding. O(nodes).
std::unordered_map<const graphsurgeon::Tensor*, graphsurgeon::NodeRef> nodes_that_round_caches(
    const graphsurgeon::Graph& graph, const std::vector<std::string>& caches);

}  // namespace polygraphy
