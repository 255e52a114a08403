// Removes nodes and tensors that no output depends on.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct CleanupOptions {
  // Removes unused outputs of kept nodes where the operator allows their omission: trailing ones
  // are dropped, others become empty tensors, so that no output changes its meaning. Off by
  // default: Scan and Loop count their outputs.
  bool remove_unused_node_outputs = false;
  bool recurse_subgraphs = true;
  // Applies to the argument of cleanup() only; inputs of subgraphs and functions are positional and
  // stay.
  bool remove_unused_graph_inputs = false;
  bool recurse_functions = true;
};

// Removes nodes, initializers and value_info without a path to an output. Removed nodes lose their
// edges; inputs of the graph and constants lose their producers (a producer that is needed for
// another output gets an unused tensor in that place). An unused initializer that is an input too
// (IR version < 4, or a default value) leaves both lists, in the outermost graph. The order of
// nodes and the list of outputs stay. Subgraphs first, then each function once. A tensor without a
// producer refers to the produced object of the same name, as in the saved file, and keeps its
// producer. A node that is listed twice stays once. O(graph), without recursion; a graph in which
// nothing is unused counts no edit. Handles to removed objects stay valid.
void cleanup(Model& model, const CleanupOptions& options = {});
// This graph (or function) and its subgraphs.
void cleanup(Graph& graph, const CleanupOptions& options = {});

}  // namespace graphsurgeon
