// What is inside If, Loop and Scan, as outputs of the nodes around it.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// What is known of the states of loops.
enum class LoopStates {
  kDeclared,  // what the model says, and what follows from it
  kAssumed,   // where that is not all: that they always have the shapes that they begin with
};

// Hands what the nodes of bodies make on to the main graph, under its path: "Loop_1/body/e". A Loop
// or Scan collects the values of all iterations; an If returns zeros for the branch that is not
// taken. Left out is what has no known type and dimensions, after shapes have been inferred, what
// would take more than a GiB together, and what functions do: they are to be inlined before. In the
// list of a node's outputs, those from inside are the last ones, in the order of the nodes inside,
// what is nested in one before its own results. True: there were any. O(model). A model with
// assumed shapes may turn out not to run.
bool hand_out_inner_tensors(graphsurgeon::Model& model, LoopStates states = LoopStates::kDeclared);

}  // namespace polygraphy
