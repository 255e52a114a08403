// What is inside If, Loop and Scan, as outputs of the nodes around it.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Hands what the nodes of bodies make on to the main graph, under its path: "Loop_1/body/e". A Loop
// or Scan collects the values of all iterations; an If returns zeros for the branch that is not
// taken. Left out is what has no known type and dimensions: shapes are to be inferred before, and
// local functions inlined. In the list of a node's outputs, those from inside are the last ones, in
// the order of the nodes inside, what is nested in one before its own results. True: there were
// any. O(model).
bool hand_out_inner_tensors(graphsurgeon::Model& model);

}  // namespace polygraphy
