// Nodes that compute with whole numbers, sizes and indices, which engines do exactly.
#pragma once

#include <unordered_set>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Nodes of the graph with results that follow from shapes and constants alone, and nodes that
// compute sizes of other tensors (the shape of a Reshape, the ends of a Slice) by arithmetic on few
// kinds of operators: engines keep them in wide numbers, in any precision. O(nodes).
std::unordered_set<const graphsurgeon::Node*> shape_arithmetic(const graphsurgeon::Graph& graph);

// Nodes of the graph with results that may be whole numbers for steps (Floor, Round, a Cast to
// integers, a comparison, ArgMax): arithmetic between them and the next sums of products. O(nodes).
std::unordered_set<const graphsurgeon::Node*> exact_arithmetic(const graphsurgeon::Graph& graph);

}  // namespace polygraphy
