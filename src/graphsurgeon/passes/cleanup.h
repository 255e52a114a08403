// Removes what no output depends on (spec/api.md A8).
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct CleanupOptions {
  bool remove_unused_node_outputs = false;  // Scan and Loop count theirs: off by default
  bool recurse_subgraphs = true;
  bool remove_unused_graph_inputs = false;
  bool recurse_functions = true;
};

// Nodes, initializers and value_info without a way to an output go, and lose their edges; producers
// of graph inputs are unlinked. Order stays; the list of outputs is never changed. Subgraphs first,
// then each function once. O(graph); a graph in which nothing is unused counts no edit.
void cleanup(Model& model, const CleanupOptions& options = {});
// This graph and its subgraphs.
void cleanup(Graph& graph, const CleanupOptions& options = {});

}  // namespace graphsurgeon
