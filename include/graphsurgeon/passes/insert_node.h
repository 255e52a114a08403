// Inserts one node into a graph, in place of the nodes between its inputs and outputs.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct NodeToInsert {
  std::string op;
  std::string name = {};
  std::vector<TensorRef> inputs;   // tensors of the main graph, in the order of the operator
  std::vector<TensorRef> outputs;  // also; the new node makes them from now on
  std::vector<Attribute> attributes = {};
};

// An output loses its producer; what nothing needs any more is removed. Where a tensor is both
// input and output, the node goes between it and its consumers: a tensor of a new name
// ("<name>_polygraphy_surgeon_insert_output") takes it to them; for an output of the graph it is
// the tensor before the node that gets the new name, and the graph keeps its output's. The node
// stands behind the last producer of its inputs; nodes are sorted only where a consumer of its
// outputs stands before it. Returns the node, which is gone from the graph when nothing needs it.
// Throws Error, and the model is of no use then, when the node would feed itself, or make an input
// of the model. O(graph).
NodeRef insert_node(Model& model, const NodeToInsert& wanted);

}  // namespace graphsurgeon
