// A model as it will be run on inputs of certain shapes.
#pragma once

#include <string>
#include <vector>

#include "base/arrays/array.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// The shapes inside are those that the inputs' shapes give (others: as the model says), and shape
// arithmetic becomes constants. Nothing large is computed; folded nodes have no outputs. O(model).
void infer_for(const OrderedMap<Shape>& shapes, graphsurgeon::Model& model);

// Nodes whose operands contradict each other with these shapes of inputs, a line each: "node 'join'
// (Concat): ...". Changes the model, too. O(model).
std::vector<std::string> misfits(const OrderedMap<Shape>& shapes, graphsurgeon::Model& model);

}  // namespace polygraphy
