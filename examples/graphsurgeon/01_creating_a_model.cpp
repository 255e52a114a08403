// A model of one node: tensors, the node between them, a graph around it.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::Model model = gs::make_model({.opset = 18, .ir_version = 10});
  gs::Graph& graph = *model.graph;

  gs::TensorRef x = graph.variable("X", gs::DataType::kFloat32, {1, 3, 5, 5});
  gs::TensorRef y = graph.variable("Y", gs::DataType::kFloat32, {1, 3, 1, 1});
  graph.layer({.op = "GlobalLpPool", .inputs = {x}, .outputs = {y}, .attrs = {{"p", 2}}});
  graph.mutable_inputs() = {x};
  graph.mutable_outputs() = {y};

  gs::save_model(model, "test_globallppool.onnx");
}
