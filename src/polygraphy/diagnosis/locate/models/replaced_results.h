// A model in which results of nodes become inputs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/parts/exploded_model.h"

namespace polygraphy {

// A copy without the nodes at these positions of the main graph; their results become inputs of the
// same names, with the type and shape of `value`. Their results are removed from the model's
// outputs, and nodes that only they needed are removed. O(model).
graphsurgeon::Model with_given_results(
    const graphsurgeon::Model& model, const NodePart& positions,
    const std::function<const Array*(const std::string& tensor)>& value);

}  // namespace polygraphy
