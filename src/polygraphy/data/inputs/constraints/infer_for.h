// A model as it will be run on inputs of certain shapes.
#pragma once

#include "base/arrays/array.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// The shapes inside are those that the inputs' shapes give (others: as the model says), and shape
// arithmetic becomes constants. Nothing large is computed; folded nodes have no outputs. O(model).
void infer_for(const OrderedMap<Shape>& shapes, graphsurgeon::Model& model);

}  // namespace polygraphy
