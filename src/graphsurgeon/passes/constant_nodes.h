// Constant nodes, and their conversion to initializers.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// The value of a Constant node, from any of its value attributes; null for other nodes and for
// values that cannot be read.
PayloadPtr constant_values(const Node& node);

// Constant nodes of the main graph become initializers; in subgraphs and functions they stay.
// Returns their number. O(nodes).
size_t constant_nodes_to_initializers(Model& model);

}  // namespace graphsurgeon
