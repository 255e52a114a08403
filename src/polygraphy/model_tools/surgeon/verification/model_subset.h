// The same nodes under other inputs and outputs, for running parts of a model without editing it.
#pragma once

#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// A model of the same nodes, tensors and functions with these outputs; the model itself stays
// untouched (no edit is counted). Edits of nodes and tensors through either are seen in both.
// O(nodes), no bytes.
graphsurgeon::Model with_outputs(const graphsurgeon::Model& model,
                                 std::vector<graphsurgeon::TensorRef> outputs);

// A model of some of the nodes, in this order, with these inputs and outputs. Constants that they
// use come along.
graphsurgeon::Model with_nodes(const graphsurgeon::Model& model,
                               std::vector<graphsurgeon::NodeRef> nodes,
                               std::vector<graphsurgeon::TensorRef> inputs,
                               std::vector<graphsurgeon::TensorRef> outputs);

}  // namespace polygraphy
