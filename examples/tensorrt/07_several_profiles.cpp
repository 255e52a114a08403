// One engine for small and for large batches, with a profile for each, and a runner for each.
#include <cstdio>

#include "graphsurgeon/graphsurgeon.h"
#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  pg::Profile small, large;
  small.add("x", {1, 4}, {1, 4}, {2, 4});
  large.add("x", {2, 4}, {16, 4}, {32, 4});
  const auto network = pg::NetworkFromOnnx(pg::ModelLoader([] {
    return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 13]>
        twice (float[N, 4] x) => (float[N, 4] y) { y = Add (x, x) })");
  }));
  const pg::TrtEngine engine =
      pg::EngineFromNetwork(network, pg::CreateConfig({.profiles = {small, large}}))();

  pg::TrtRunner one(engine);
  pg::TrtRunner many(engine, {.options = {{"optimization_profile", {"1"}}}});
  pg::ActiveRunner active_one(one), active_many(many);
  const pg::ValueMap few = active_one.infer({{"x", pg::full<float>({1, 4}, 1)}});
  const pg::ValueMap batch = active_many.infer({{"x", pg::full<float>({32, 4}, 1)}});
  if (pg::at(few, "y").tensor().get_double(3) != 2) return 1;
  if (pg::at(batch, "y").tensor().get_double(127) != 2) return 1;
  std::printf("Batches of 1 and 32 succeeded!\n");
}
