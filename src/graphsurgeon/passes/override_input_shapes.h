// Overrides the shapes of a model's inputs.
#pragma once

#include <utility>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// The inputs among `shapes` get theirs, and every other variable of the model but its inputs loses
// its shape (those in subgraphs and functions too), which may hold for the old shapes only.
// infer_shapes() finds the new ones. Tensors without a producer keep theirs; so do types. O(model).
void override_input_shapes(Model& model, const std::vector<std::pair<TensorRef, DimList>>& shapes);

}  // namespace graphsurgeon
