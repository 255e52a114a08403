// Edits the descriptions of a network and of a configuration before the engine is built.
#include <cstdio>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  const auto network =
      pg::extend(pg::NetworkFromOnnxPath("identity.onnx"), [](pg::TrtNetwork& described) {
        described.name = "MyIdentity";
        std::printf("Network name: %s\n", described.name.c_str());
      });
  const auto config = pg::extend(pg::CreateConfig(), [](pg::TrtConfig& described) {
    described.fp16 = true;
    // By key, as of --builder-optimization-level: what a description has no member for.
    described.options.emplace_back("builder_optimization_level", std::vector<std::string>{"2"});
  });

  pg::TrtRunner runner(pg::EngineFromNetwork(network, config));
  pg::ActiveRunner active(runner);
  const auto x = pg::full<float>({1, 1, 2, 2}, 1);
  const pg::ValueMap outputs = active.infer({{"x", x}});
  if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), x)) return 1;
  std::printf("Inference succeeded!\n");
}
