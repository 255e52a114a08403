// Pruning what a smaller model has no use for.
#pragma once

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/unused_functions.h"

namespace polygraphy {

// Removes nodes, inputs and functions that no output depends on; bodies stay as they are.
// O(model).
inline void prune_unused(graphsurgeon::Model& model) {
  graphsurgeon::cleanup(model, {.recurse_subgraphs = false, .remove_unused_graph_inputs = true});
  graphsurgeon::remove_unused_functions(model);
}

}  // namespace polygraphy
