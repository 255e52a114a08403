// Finds every x * sigmoid(x) and puts one operator in its place.
#include <cstdio>

#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::save_model(gs::parse_onnx_text(R"(
      original (float[1, 8] x) => (float[1, 8] y) {
        s1 = Sigmoid (x)
        m1 = Mul (x, s1)
        s2 = Sigmoid (m1)
        m2 = Mul (m1, s2)
        s3 = Sigmoid (x)
        y = Mul (m2, s3)
      })"),
                 "model.onnx");

  gs::GraphPattern swish;
  const gs::PatternTensor x = swish.variable();
  const auto sigmoid = swish.add("sigmoid", "Sigmoid", {x});
  const auto product = swish.add("product", "Mul", {x, sigmoid});
  swish.set_output_tensors({product});

  gs::Model model = gs::load_model("model.onnx");
  for (const gs::PatternMapping& match : swish.match_all(*model.graph)) {
    const gs::TensorRef input = match.inputs()[0];
    const gs::TensorRef output = match.outputs()[0];
    std::printf("%.*s\n", static_cast<int>(output->name().size()), output->name().data());
    match.node("product").outputs().clear();
    model.graph->layer({.op = "QuickGelu",
                        .inputs = {input},
                        .outputs = {output},
                        .attrs = {{"alpha", 1.0}},
                        .domain = "com.microsoft"});
  }
  gs::cleanup(model);
  gs::toposort(model);
  gs::save_model(model, "replaced.onnx");
}
