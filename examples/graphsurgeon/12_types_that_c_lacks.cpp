// Weights in bfloat16 and float8: arrays of every ONNX type, converted as NumPy and ml_dtypes do.
#include <vector>

#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;
using gs::DataType;

int main() {
  const std::vector<float> values = {0.5f, -1.f, 2.f, 0.1f, 3.f, -0.25f};
  const gs::Array weights = gs::Array::of<float>({3, 2}, values);

  gs::Model model = gs::make_model({.opset = 19});
  gs::Graph* graph = model.graph.get();
  gs::TensorRef x = graph->variable("x", DataType::kBfloat16, {1, 3});
  gs::TensorRef y = graph->variable("y", DataType::kBfloat16, {1, 2});
  gs::TensorRef w = graph->constant("w", gs::convert(weights, DataType::kBfloat16));
  graph->layer({.op = "MatMul", .inputs = {x, w}, .outputs = {y}});
  graph->mutable_inputs() = {x};
  graph->mutable_outputs() = {y};
  gs::save_model(model, "bfloat16.onnx");

  // Runtimes compute in float8 by way of DequantizeLinear.
  model = gs::make_model({.opset = 19});
  graph = model.graph.get();
  x = graph->variable("x", DataType::kFloat32, {1, 3});
  y = graph->variable("y", DataType::kFloat32, {1, 2});
  w = graph->constant("w", gs::convert(weights, DataType::kFloat8E4M3FN));
  auto& dequantized =
      graph->layer({.op = "DequantizeLinear", .inputs = {w, 1.f}, .outputs = {"dequantized"}});
  graph->layer({.op = "MatMul", .inputs = {x, dequantized}, .outputs = {y}});
  graph->mutable_inputs() = {x};
  graph->mutable_outputs() = {y};
  gs::save_model(model, "float8.onnx");
}
