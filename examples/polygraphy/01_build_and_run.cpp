// Makes an identity model, saves it, and runs it: loaders are put together first, and nothing
// happens until the runner is activated.
#include <cstdio>

#include "graphsurgeon/graphsurgeon.h"
#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

graphsurgeon::Model make_identity() {
  return graphsurgeon::parse_onnx_text(R"(
      <ir_version: 8, opset_import: ["": 13]>
      identity (float[1, 1, 2, 2] x) => (float[1, 1, 2, 2] y) { y = Identity (x) })");
}

int main() {
  // The model on its way to the runtime is also kept as a file.
  const auto build = pg::SaveOnnx(pg::ModelLoader(make_identity), "identity.onnx");
  pg::OnnxrtRunner runner(build);

  // Active until the end of the scope, whatever happens in it.
  pg::ActiveRunner active(runner);
  const auto x = pg::full<float>({1, 1, 2, 2}, 1);
  const pg::ValueMap outputs = active.infer({{"x", x}});

  if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), x)) return 1;  // it's an identity model
  std::printf("Inference succeeded!\n");
}
