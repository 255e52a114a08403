// Operators with broadcasting: sizes may be equal under different names. Only for
// the sources of this library.
#pragma once

#include <string_view>

#include "graphsurgeon/onnx/inference/shapes/shape_node.h"

namespace graphsurgeon {

// Null: another operator.
ShapeFunction broadcast_function(std::string_view op);

}  // namespace graphsurgeon
