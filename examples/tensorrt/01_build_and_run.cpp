// Builds an engine of an identity model, saves it, and runs it. Loaders are put together first, and
// nothing happens until the runner is activated.
#include <cstdio>

#include "graphsurgeon/graphsurgeon.h"
#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(R"(
      <ir_version: 8, opset_import: ["": 13]>
      identity (float[1, 1, 2, 2] x) => (float[1, 1, 2, 2] y) { y = Identity (x) })"),
                           "identity.onnx");

  // TensorRT 11 takes types from the model: there, pg::ConvertToFp16 takes the place of fp16.
  const auto build = pg::EngineFromNetwork(pg::NetworkFromOnnxPath("identity.onnx"),
                                           pg::CreateConfig({.fp16 = true}));
  pg::TrtRunner runner(pg::SaveEngine(build, "identity.engine"));

  // Active until the end of the scope, whatever happens in it.
  pg::ActiveRunner active(runner);
  const auto x = pg::full<float>({1, 1, 2, 2}, 1);
  const pg::ValueMap outputs = active.infer({{"x", x}});

  if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), x)) return 1;  // it's an identity model
  std::printf("Inference succeeded!\n");
}
