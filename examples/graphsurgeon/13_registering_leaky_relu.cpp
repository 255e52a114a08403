// An operator with a default value and an output like its input.
#include <optional>

#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::register_op("leaky_relu", [](gs::Graph& graph, gs::TensorRef x, std::optional<float> alpha) {
    gs::Tensor* out = graph.layer({.op = "LeakyRelu",
                                   .inputs = {x},
                                   .outputs = {"leaky_relu_out"},
                                   .attrs = {{"alpha", alpha.value_or(0.01f)}}})[0];
    out->set_dtype(x->dtype());
    out->set_shape(x->shape());
    return out;
  });

  // A model that computes out = leaky_relu(input).
  gs::Model model = gs::make_model({.opset = 17});
  gs::Graph& graph = *model.graph;
  gs::TensorRef input = graph.variable("input", gs::DataType::kFloat32, {1, 3, 28, 28});
  graph.mutable_inputs() = {input};
  graph.mutable_outputs() = model.call("leaky_relu", input);
  gs::save_model(model, "leaky_relu.onnx");
}
