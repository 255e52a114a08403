// Builds an engine that computes in int8: TensorRT 10 finds the scales with batches of real inputs,
// and keeps them in a file, which the next build reads instead.
#include <cstdio>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

namespace {

// In place of a data set.
std::vector<pg::ValueMap> batches() {
  std::vector<pg::ValueMap> result;
  for (const float value : {0.25F, 0.5F, 1.0F}) {
    pg::ValueMap batch;
    batch.set("x", pg::full<float>({1, 1, 2, 2}, value));
    result.push_back(std::move(batch));
  }
  return result;
}

}  // namespace

int main() {
  const pg::TrtConfig config = {
      .int8 = true,
      .calibrator = pg::Calibrator{.data = batches(), .cache = "identity-calibration.cache"}};
  pg::TrtRunner runner(
      pg::EngineFromNetwork(pg::NetworkFromOnnxPath("identity.onnx"), pg::CreateConfig(config)));

  pg::ActiveRunner active(runner);
  const auto x = pg::full<float>({1, 1, 2, 2}, 1);
  const pg::ValueMap outputs = active.infer({{"x", x}});
  if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), x)) return 1;
  std::printf("Inference succeeded!\n");
}
