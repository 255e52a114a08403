// Hashes that are equal for nodes of equal structure: the alignment uses them where names do not
// match.
#pragma once

#include <cstdint>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

// One number per node. O(nodes + edges) each. The index is the node's in the graph.
using NodeKeys = std::vector<uint64_t>;

// Operator, domain and overload.
NodeKeys operator_keys(const Graph& graph);
// These and the attributes; of graphs among them only that they are there, of tensors no values
// but few integers.
NodeKeys node_keys(const Graph& graph);
// A node and everything that it is computed from, down to the positions of inputs and the types of
// constants.
NodeKeys keys_of_sources(const Graph& graph, const NodeIndex& index, const NodeKeys& nodes);
// A node and everything that is computed from it, down to the positions of outputs.
NodeKeys keys_of_uses(const Graph& graph, const NodeIndex& index, const NodeKeys& nodes);
// A node and its surroundings, `radius` edges away.
NodeKeys keys_of_surroundings(const Graph& graph, const NodeIndex& index, const NodeKeys& nodes,
                              int radius);
NodeKeys combined(const NodeKeys& a, const NodeKeys& b);

}  // namespace graphsurgeon
