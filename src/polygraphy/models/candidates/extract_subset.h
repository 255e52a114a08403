// The part of a model with some of its nodes.
#pragma once

#include <cstddef>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// A copy of the model, sharing its weights, with the nodes at these positions (ascending) and the
// nodes that feed them constants. Inputs: tensors that kept nodes read but do not produce. Outputs:
// results of kept nodes that removed nodes or the model's outputs use; unused results only for a
// node without other outputs. O(model). `steps` is reduction_steps(model).
graphsurgeon::Model extract_subset(const graphsurgeon::Model& model,
                                   const std::vector<size_t>& steps,
                                   const std::vector<size_t>& positions);

}  // namespace polygraphy
