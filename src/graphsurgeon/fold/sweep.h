// The ordered walk over the nodes: infers, applies the rules node by node, and finds further
// computable nodes.
#pragma once

#include "graphsurgeon/fold/fold_state.h"

namespace graphsurgeon {

// Over the main graph, the graphs nested in it, and the functions, as the options say. Small
// results are written at once; larger ones, and those that need the evaluator, become entries of
// `state`. O(nodes), where a node nested in n graphs counts n times.
void sweep(FoldState& state);

}  // namespace graphsurgeon
