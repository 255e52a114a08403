// Loads what 01 saved, from bytes, and runs it on another runtime.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  std::ifstream file("identity.onnx", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  pg::OpenVinoRunner runner{pg::OnnxFromBytes(bytes)};
  // The file itself would do as well: pg::OpenVinoRunner runner("identity.onnx");

  pg::ActiveRunner active(runner);
  for (const auto& [name, info] : active->input_metadata()) {
    std::printf("input %s\n", pg::to_text(name, info).c_str());
  }
  const auto x = pg::Array::of<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const pg::ValueMap outputs = active.infer({{"x", x}});

  if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), x)) return 1;
  std::printf("Inference succeeded!\n");
}
