// Pruning of parts that a smaller model does not use.
#pragma once

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/unused_functions.h"

namespace polygraphy {

// Removes nodes, inputs and functions that no output depends on; bodies and functions stay as they
// are: even an unused node in them may cause the failure. O(model).
inline void prune_unused(graphsurgeon::Model& model) {
  graphsurgeon::cleanup(
      model,
      {.recurse_subgraphs = false, .remove_unused_graph_inputs = true, .recurse_functions = false});
  graphsurgeon::remove_unused_functions(model);
}

// Nodes that nothing reads become outputs, as far as their types are known, so that they stay.
// O(main graph).
void keep_unread(graphsurgeon::Model& model);

}  // namespace polygraphy
