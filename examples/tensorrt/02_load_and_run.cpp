// Runs the engine that the first example has saved.
#include <cstdio>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  pg::TrtRunner runner(pg::EngineFromBytes(pg::BytesFromPath("identity.engine")));
  pg::ActiveRunner active(runner);
  const auto x = pg::full<float>({1, 1, 2, 2}, 1);
  const pg::ValueMap outputs = active.infer({{"x", x}});
  if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), x)) return 1;
  std::printf("Inference succeeded!\n");
}
