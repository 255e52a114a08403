// Holds one runtime against expected outputs. For many samples a runner is better than
// Comparator::run(), which keeps every result: here one sample is in memory at a time.
#include <cstdio>
#include <vector>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  // Pretend that this is a very large data set.
  const pg::Array ones = pg::full<float>({1, 1, 2, 2}, 1);
  const pg::Array zeros = pg::Array::zeros(pg::DataType::kFloat32, {1, 1, 2, 2});
  const std::vector<pg::Array> samples{ones, zeros, ones, zeros};
  const std::vector<pg::Array>& expected = samples;  // an identity model

  pg::OnnxrtRunner runner("identity.onnx");
  pg::ActiveRunner active(runner);
  for (size_t i = 0; i < samples.size(); ++i) {
    const pg::ValueMap outputs = active.infer({{"x", samples[i]}});
    if (pg::bitwise_equal(pg::at(outputs, "y").tensor(), expected[i])) continue;
    std::printf("Sample %zu is wrong.\n", i);
    return 1;
  }
  std::printf("Validation succeeded!\n");
}
