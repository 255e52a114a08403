// Sorts nodes so that producers come before consumers (spec/api.md A9).
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

enum class ToposortMode : uint8_t { kFull, kNodes, kFunctions };

struct ToposortOptions {
  bool recurse_subgraphs = true;
  bool recurse_functions = true;
  ToposortMode mode = ToposortMode::kFull;
};

// By level: 0 for nodes without producers in their graph, else one more than the highest
// producer's; what a node's subgraphs capture counts as its inputs. Stable, so nodes of one level
// keep their order (S5.4). Functions: callees before callers. Throws Error naming the nodes (or
// functions) of a cycle. O(graph), without recursion; a graph whose order stays counts no edit.
void toposort(Model& model, const ToposortOptions& options = {});
void toposort(Graph& graph, const ToposortOptions& options = {});

}  // namespace graphsurgeon
