// Weights: a constant that a node uses is written as an initializer.
#include <vector>

#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::Model model = gs::make_model({.opset = 18});
  gs::Graph& graph = *model.graph;

  gs::TensorRef x = graph.variable("X", gs::DataType::kFloat32, {1, 3, 224, 224});
  gs::TensorRef y = graph.variable("Y", gs::DataType::kFloat32, {1, 5, 222, 222});
  const std::vector<float> ones(5 * 3 * 3 * 3, 1.f);
  gs::TensorRef w = graph.constant("W", gs::Array::of<float>({5, 3, 3, 3}, ones));
  graph.layer({.op = "Conv", .inputs = {x, w}, .outputs = {y}});
  graph.mutable_inputs() = {x};
  graph.mutable_outputs() = {y};

  gs::save_model(model, "test_conv.onnx");
}
