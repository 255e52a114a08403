// Taking a tensor away from the nodes that make it.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Unlinks `tensor` from its producers. The slot of a node with other outputs gets a variable of a
// new name ("<tensor>_unused") in its place, so that the other outputs stay where they are; a
// node's only output goes. `graph` is the main graph of the model: no name in it, or in its
// subgraphs, is taken twice. O(1), with other outputs O(graph).
void detach_producers(Graph& graph, Tensor& tensor);

}  // namespace graphsurgeon
