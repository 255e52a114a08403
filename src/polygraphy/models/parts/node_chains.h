// Nodes that engines probably fuse.
#pragma once

#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/parts/exploded_model.h"

namespace polygraphy {

// Every node of the main graph in one part: a multiplication (Conv, MatMul, Gemm ...) or another
// node with the following nodes without a branch, up to the next multiplication; nodes that
// dequantize inputs of a multiplication are in its part. `graph` is sorted. In the order of first
// nodes. O(graph).
std::vector<NodePart> node_chains(const graphsurgeon::Graph& graph);

}  // namespace polygraphy
