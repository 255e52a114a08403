// Applies the changes of an algorithm to a snapshot to the Python objects.
#pragma once

#include "graphs/graph_snapshot.h"

namespace native {

// Order and lists of nodes, edges, tensors that became constants or variables, operators and
// attributes; creates objects for new nodes and tensors. Does not touch unchanged objects.
// O(model).
void update_objects(GraphSnapshot& snapshot);

}  // namespace native
