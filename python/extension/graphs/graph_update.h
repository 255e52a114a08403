// What an algorithm of the graph library did to a snapshot, done to the Python objects.
#pragma once

#include "graphs/graph_snapshot.h"

namespace native {

// Order and lists of nodes, edges, tensors that became constants or variables, operators and
// attributes; makes objects for what is new. Objects that did not change are not touched. O(model).
void update_objects(GraphSnapshot& snapshot);

}  // namespace native
