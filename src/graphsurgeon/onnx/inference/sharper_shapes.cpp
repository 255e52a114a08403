#include "graphsurgeon/onnx/inference/sharper_shapes.h"

#include "graphsurgeon/onnx/inference/shapes/broadcasts.h"
#include "graphsurgeon/onnx/inference/shapes/reshapes.h"
#include "graphsurgeon/onnx/inference/shapes/shape_node.h"
#include "graphsurgeon/onnx/inference/shapes/slices.h"
#include "graphsurgeon/onnx/inference/shapes/windows.h"

namespace graphsurgeon {

ShapeFunction sharpening_function(std::string_view op) {
  if (const ShapeFunction function = broadcast_function(op)) return function;
  if (const ShapeFunction function = reshape_function(op)) return function;
  if (const ShapeFunction function = window_function(op)) return function;
  return slice_function(op);
}

void sharpen_shapes(ShapeFunction function, NodeContext& context, SizeAlgebra& sizes) {
  ShapeNode node(context, sizes);
  for (size_t i = 0; i < node.outputs(); ++i) {
    if (node.is_open(i)) return function(node);
  }
}

}  // namespace graphsurgeon
