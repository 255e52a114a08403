// Taking nodes out of a body or a function.
#pragma once

#include <cstddef>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Of the nodes of a body or function only those at these positions (ascending) stay, and the
// initializers that are used then. For what the others made stand
//   zeros                  in a body, where type and shape are known
//   an input of that node  else, one whose type does not contradict. An output of the graph that no
//                          node of it makes then is made by an Identity
// False, and the graph is spoiled: there is nothing that could stand for something. O(graph).
bool keep_nodes(graphsurgeon::Graph& graph, const std::vector<size_t>& positions);

}  // namespace polygraphy
