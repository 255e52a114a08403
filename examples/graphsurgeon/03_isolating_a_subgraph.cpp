// Cuts a piece out of a model: say where it begins and where it ends, and clean up.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::save_model(gs::parse_onnx_text(R"(
      whole (float[1, 3, 224, 224] x0, float[1, 3, 224, 224] x1) => (float[1, 3, 224, 224] y)
      <float a = {2}, float b = {1}> {
        mul_out = Mul (a, x1)
        add_out = Add (mul_out, b)
        y = Add (x0, add_out)
      })"),
                 "model.onnx");

  gs::Model model = gs::load_model("model.onnx");
  gs::Graph& graph = *model.graph;

  // Inputs and outputs need a type, and a shape if it is known.
  const gs::TensorMap tensors = graph.tensors();
  const gs::DimList shape = {1, 3, 224, 224};
  tensors["mul_out"]->to_variable(gs::DataType::kFloat32, shape);
  tensors["add_out"]->to_variable(gs::DataType::kFloat32, shape);
  graph.mutable_inputs() = {tensors["mul_out"]};
  graph.mutable_outputs() = {tensors["add_out"]};

  // Nothing leads from the outputs to x0, x1 and the other nodes any more.
  gs::cleanup(model);
  gs::save_model(model, "subgraph.onnx");
}
