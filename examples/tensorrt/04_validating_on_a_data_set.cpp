// Runs one engine on all samples of a data set, with one of them in memory at a time.
#include <cstdio>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  pg::TrtRunner runner(pg::EngineFromNetwork(pg::NetworkFromOnnxPath("identity.onnx")));
  pg::ActiveRunner active(runner);
  for (const float sample : {1.0F, 0.0F, 1.0F, 0.0F}) {  // imagine a very large data set
    const auto x = pg::full<float>({1, 1, 2, 2}, sample);
    const pg::ValueMap outputs = active.infer({{"x", x}});
    if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), x)) return 1;
  }
  std::printf("Validation succeeded!\n");
}
