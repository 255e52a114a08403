// Where a model is narrowest just before its outputs.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// The last tensor of the main graph, itself no output, through which everything passes that the
// outputs take from the inputs: whoever keeps its value can compute what lies near the outputs
// without what lies before it. Null: there is none, or the nodes are out of order. O(model).
graphsurgeon::TensorRef waist_of(const graphsurgeon::Model& model);

}  // namespace polygraphy
