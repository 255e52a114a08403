// Puts one node in the place of several: Clip for Min and Max.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::save_model(gs::parse_onnx_text(R"(
      original (float[4, 4] x) => (float[4, 4] y) <float high = {5}, float low = {0}> {
        scaled = Abs (x)
        at_most = Min (scaled, high)
        between = Max (at_most, low)
        y = Neg (between)
      })"),
                 "model.onnx");

  gs::Model model = gs::load_model("model.onnx");
  gs::Graph& graph = *model.graph;
  const gs::TensorMap tensors = graph.tensors();
  gs::Tensor& input = *tensors["scaled"];
  gs::Tensor& low = *tensors["low"];
  gs::Tensor& high = *tensors["high"];
  gs::Tensor& output = *tensors["between"];

  // Cut the old nodes off: nothing consumes their inputs, nothing makes their output …
  for (gs::Tensor* tensor : {&input, &low, &high}) tensor->consumers().clear();
  output.producers().clear();

  // … and put the new one there.
  graph.layer({.op = "Clip", .inputs = {input, low, high}, .outputs = {output}});

  gs::cleanup(model);
  gs::toposort(model);
  gs::save_model(model, "replaced.onnx");
}
