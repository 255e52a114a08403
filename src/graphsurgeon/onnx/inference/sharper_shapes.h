// Shapes that follow from the inputs and that the standard's functions do not give. Only for the
// sources of this library.
#pragma once

#include <string_view>

#include "graphsurgeon/onnx/inference/node_context.h"
#include "graphsurgeon/onnx/inference/op_table.h"
#include "graphsurgeon/sizes/size_algebra.h"

namespace graphsurgeon {

// Of an operator of the default domain; null: it needs no sharper shapes.
ShapeFunction sharpening_function(std::string_view op);

// After the standard's function of the operator: fills in ranks and dimensions of the outputs that
// it has left open.
void sharpen_shapes(ShapeFunction function, NodeContext& context, SizeAlgebra& sizes);

}  // namespace graphsurgeon
