// The part of a model that some of its nodes make up.
#pragma once

#include <cstddef>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// A copy of the model, sharing its weights, that consists of the nodes at these positions
// (ascending) and of what feeds them constants. What they read and none of them makes are the
// inputs; what they make and somebody else reads (another node, or nobody at all) or the model
// delivers are the outputs, those that nobody uses only where a node has no other. O(model).
// `steps` is reduction_steps(model).
graphsurgeon::Model extract_subset(const graphsurgeon::Model& model,
                                   const std::vector<size_t>& steps,
                                   const std::vector<size_t>& positions);

}  // namespace polygraphy
