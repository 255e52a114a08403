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

// Sorts by level: 0 for nodes without producers in their graph, else one more than the highest
// producer's level; captures of a node's subgraphs count as its inputs. Nodes of one level are in
// the order in which a walk over the old list, producers first, visits them: the old order if the
// graph was sorted, else the original's. Functions: callees before callers, calls in subgraphs
// included. A tensor without a producer refers to the produced object of the same name, as in the
// saved file. A node that is listed twice stays once. Throws Error naming the nodes (or functions)
// of one cycle in the order of the data, and changes nothing. O(graph), without recursion; if the
// order stays, no edit counts.
void toposort(Model& model, const ToposortOptions& options = {});
// This graph (or function) and its subgraphs; functions are not sorted.
void toposort(Graph& graph, const ToposortOptions& options = {});

// True if every node of this graph comes behind the producers of its inputs, including captures of
// its subgraphs. The order inside of subgraphs does not count. O(graph).
bool is_sorted(const Graph& graph);

}  // namespace graphsurgeon
