// Upper bounds for tensors that determine the size of another one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Between each tensor and its producer comes a Min with the bound, right behind the producer: the
// producer makes "<tensor>_copy", and the constant is called "<tensor>_upper_bound" (of the
// tensor's type, int64 if that is not known; a vector of one element, or a scalar for a scalar).
// Throws Error for a tensor that no node of the main graph makes. O(graph).
void set_size_upper_bounds(Graph& graph, const std::vector<std::pair<TensorRef, int64_t>>& bounds);

}  // namespace graphsurgeon
