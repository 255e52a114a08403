// Parts of tensors, and tensors with something around them: Slice, Split, Pad, TopK. Only for
// the sources of this library.
#pragma once

#include <string_view>

#include "graphsurgeon/onnx/inference/shapes/shape_node.h"

namespace graphsurgeon {

// Null: another operator.
ShapeFunction slice_function(std::string_view op);

}  // namespace graphsurgeon
