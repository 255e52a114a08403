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
  std::vector<TensorRef> outputs;  // tensors of the main graph; the new node produces them
  std::vector<Attribute> attributes = {};
};

// An output loses its former producer; unused nodes and tensors are removed. If a tensor is both
// input and output, the node goes between it and its consumers, which read a tensor of a new name
// ("<name>_polygraphy_surgeon_insert_output", with a number behind it if there is one); if it is a
// graph output, the tensor before the node gets the new name, and the graph output keeps its name.
// The node stands behind the last producer of its inputs; nodes are sorted only if a consumer of
// its outputs stands before it. Returns the node, which is not in the graph if no output depends on
// it. Throws Error if the node would feed itself or produce an input of the model; the model is
// unusable then. O(graph).
NodeRef insert_node(Model& model, const NodeToInsert& wanted);

}  // namespace graphsurgeon
