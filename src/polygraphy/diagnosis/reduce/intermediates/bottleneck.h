// The last single-tensor cut between a model's inputs and its outputs.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// The last tensor of the main graph, itself no output, through which every path from the inputs to
// the outputs goes: with its value cached, tensors near the outputs are computed without the nodes
// before it. Null: no such tensor, or the nodes are out of order. O(model).
graphsurgeon::TensorRef bottleneck_of(const graphsurgeon::Model& model);

}  // namespace polygraphy
