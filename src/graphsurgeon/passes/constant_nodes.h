// Constant nodes, and the initializers that say the same.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// What a Constant node produces, in whichever of its attributes it stands; null when it is none, or
// says nothing that can be read.
PayloadPtr constant_values(const Node& node);

// Constant nodes of the main graph become initializers; those of subgraphs and functions stay.
// Returns their number. O(nodes).
size_t constant_nodes_to_initializers(Model& model);

}  // namespace graphsurgeon
