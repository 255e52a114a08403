// Sorts nodes so that producers come before consumers.
#pragma once

#include <cstdint>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

enum class ToposortMode : uint8_t { kFull, kNodes, kFunctions };

struct ToposortOptions {
  bool recurse_subgraphs = true;
  bool recurse_functions = true;
  ToposortMode mode = ToposortMode::kFull;
};

// By level: 0 for nodes without producers in their graph, else one more than the highest
// producer's; what a node's subgraphs capture counts as its inputs. Nodes of one level keep the
// order in which a walk over the old list, producers first, comes to them: their old order where
// the graph was sorted before, else the original's. Functions: callees before callers, calls in
// subgraphs included. A tensor that nothing produces, but whose name another object has that is
// produced in the graph, counts as that one: so it does in the file. Nodes that are listed twice
// stay once. Throws Error naming the nodes (or functions) of one cycle in the order of the data;
// nothing has changed then. O(graph), without recursion; a graph whose order stays counts no edit.
void toposort(Model& model, const ToposortOptions& options = {});
// This graph (or function) and its subgraphs; functions are not sorted.
void toposort(Graph& graph, const ToposortOptions& options = {});

// Whether every node of this graph comes behind those that make its inputs, captures of its
// subgraphs included. The order inside of subgraphs does not count. O(graph).
bool is_sorted(const Graph& graph);

}  // namespace graphsurgeon
