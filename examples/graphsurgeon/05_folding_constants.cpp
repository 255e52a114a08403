// Computes now what constants alone decide.
#include <cstdio>

#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::save_model(gs::parse_onnx_text(R"(
      original (float[1, 3] x) => (float[1, 3] y, float[1, 3] z)
      <float[3] a = {1, 2, 3}, float[3] b = {0.5, 0.5, 0.5}> {
        sum = Add (a, b)
        product = Mul (sum, b)
        y = Add (x, product)
        partial = Add (x, a)
        z = Add (partial, b)
      })"),
                 "model.onnx");

  gs::Model model = gs::load_model("model.onnx");
  gs::Logger silent;
  const gs::FoldReport report = gs::fold_constants(model, {}, silent);
  for (const gs::Rewrite& rewrite : report.rewrites) {
    for (const std::string_view tensor : rewrite.tensors) {
      std::printf("%.*s is a constant now\n", static_cast<int>(tensor.size()), tensor.data());
    }
  }

  // Folding turns tensors into constants; the nodes that made them go with what nothing uses.
  // Operators are not rearranged: (x + a) + b stays, although x + (a + b) could be folded.
  gs::cleanup(model);
  gs::save_model(model, "folded.onnx");
}
