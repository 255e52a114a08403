// A model without nodes.
#include <cstdio>

#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::Model model = gs::make_model({.opset = 18, .ir_version = 10});
  gs::Graph& graph = *model.graph;
  const gs::TensorRef probe = graph.variable("probe", gs::DataType::kFloat32, {1});
  graph.mutable_inputs() = {probe};
  graph.mutable_outputs() = {probe};
  gs::save_model(model, "meta_probe.onnx");
  std::puts("probed");
}
