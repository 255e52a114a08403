// Nodes that engines are likely to compute as one.
#pragma once

#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/locate/models/exploded_model.h"

namespace polygraphy {

// Every node of the main graph in one part: a multiplication (Conv, MatMul, Gemm ...) or another
// node with what follows it without a branch, up to the next multiplication; what dequantizes
// inputs of a multiplication is in its part. `graph` is sorted. In the order of first nodes.
// O(graph).
std::vector<NodePart> node_chains(const graphsurgeon::Graph& graph);

}  // namespace polygraphy
