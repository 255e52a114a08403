// A model whose nodes read given values in the place of what other nodes compute.
#pragma once

#include <string>

#include "base/arrays/array_map.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// A copy in which nodes that read one of these tensors read an input instead, input_instead_of()
// the tensor, of the type of its value. The tensors are computed all the same. O(model).
graphsurgeon::Model reading_instead(graphsurgeon::Model model, const ArrayMap& values);

std::string input_instead_of(const std::string& tensor);

}  // namespace polygraphy
