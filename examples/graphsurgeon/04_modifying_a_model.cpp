// Changes an operator, its attributes and inputs, and the end of a model.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::save_model(gs::parse_onnx_text(R"(
      original (float[1, 3, 224, 224] x0, float[1, 3, 224, 224] x1) => (float[1, 3, 224, 224] y)
      <float a = {2}, float b = {1}> {
        mul_out = Mul (a, x1)
        add_out = Add (mul_out, b)
        y = Add (x0, add_out)
      })"),
                 "model.onnx");

  gs::Model model = gs::load_model("model.onnx");
  gs::Graph& graph = *model.graph;
  const gs::TensorMap tensors = graph.tensors();

  // 1. The first Add loses its input b …
  gs::Node& add = *tensors["add_out"]->producer();
  add.inputs().remove(*tensors["b"]);

  // 2. … and becomes a LeakyRelu.
  add.set_op("LeakyRelu");
  add.set_attribute("alpha", 0.02);

  // 3. An Identity goes behind it.
  gs::TensorRef out = graph.variable("identity_out", gs::DataType::kFloat32);
  graph.layer({.op = "Identity", .inputs = {add.outputs()}, .outputs = {out}});

  // 4. The model ends there: x0 and the last Add are not needed any more.
  graph.mutable_outputs() = {out};
  gs::cleanup(model, {.remove_unused_graph_inputs = true});
  gs::toposort(model);

  // 5. Infer the shape of the new output.
  gs::Logger silent;
  gs::infer_shapes(model, {}, silent);
  gs::save_model(model, "modified.onnx");
}
