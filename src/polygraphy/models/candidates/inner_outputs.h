// Tensors inside If, Loop and Scan, as outputs of the nodes around them.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Assumptions about the states of loops.
enum class LoopStates {
  kDeclared,  // only declarations of the model, and inferred shapes
  kAssumed,   // unknown states are assumed to keep their initial shapes
};

// Passes results of nodes in bodies on to the main graph, under their paths: "Loop_1/body/e". A
// Loop or Scan collects the values of all iterations; an If returns zeros for the branch that did
// not run. Leaves out tensors of unknown type or dimensions after shape inference, tensors beyond a
// total of 1 GiB, and tensors of functions, which must be inlined before. New outputs of a node
// come last, in the order of the inner nodes, nested ones before the node's results. Returns true
// if it added any. O(model). A model with assumed shapes may turn out not to run.
bool hand_out_inner_tensors(graphsurgeon::Model& model, LoopStates states = LoopStates::kDeclared);

}  // namespace polygraphy
