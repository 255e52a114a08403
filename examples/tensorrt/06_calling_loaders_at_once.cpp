// Loaders are functions: called, they do their work at once. The engine is built one time here, and
// shared by two runners.
#include <cstdio>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  const pg::TrtNetwork network = pg::NetworkFromOnnxPath("identity.onnx")();
  const pg::TrtEngine engine = pg::EngineFromNetwork(network)();
  std::printf("An engine: %s\n", engine.bytes->empty() ? "no" : "yes");

  pg::TrtRunner first(engine), second(engine);
  const auto x = pg::full<float>({1, 1, 2, 2}, 3);
  for (pg::TrtRunner* runner : {&first, &second}) {
    pg::ActiveRunner active(*runner);
    const pg::ValueMap outputs = active.infer({{"x", x}});
    if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), x)) return 1;
  }
  std::printf("Inference succeeded!\n");
}
