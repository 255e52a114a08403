// Convolutions and pools over open dimensions. Only for
// the sources of this library.
#pragma once

#include <string_view>

#include "graphsurgeon/onnx/inference/shapes/shape_node.h"

namespace graphsurgeon {

// Null: another operator.
ShapeFunction window_function(std::string_view op);

}  // namespace graphsurgeon
