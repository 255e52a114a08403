// A model in which results of nodes are given from outside.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/locate/models/exploded_model.h"

namespace polygraphy {

// A copy without the nodes at these positions of the main graph; what they made is an input, under
// its own name, of the type and shape of `value`. Outputs of the model that they made are no
// outputs any more; what only they needed is gone. O(model).
graphsurgeon::Model with_given_results(
    const graphsurgeon::Model& model, const NodePart& positions,
    const std::function<const Array*(const std::string& tensor)>& value);

}  // namespace polygraphy
