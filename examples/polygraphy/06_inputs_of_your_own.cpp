// Where inputs may come from: options of the random ones, lists, generators, ranges, files.
#include <cstdio>
#include <optional>
#include <ranges>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

pg::ValueMap sample(int value) {
  return {{"x", pg::full<float>({1, 1, 2, 2}, static_cast<float>(value))}};
}

int main() {
  pg::OnnxrtRunner runner("identity.onnx");
  const auto show = [&](const char* what, pg::DataSource source) {
    const pg::RunResults results = pg::Comparator::run(
        {runner}, {.data_loader = std::move(source), .save_inputs_path = "inputs.json"});
    std::printf("%s:", what);
    for (const pg::IterationResult& one : results.runners[0].second) {
      std::printf(" %g", pg::at(one.outputs, "y").get_double(0));
    }
    std::printf("\n");
  };

  pg::DataLoaderOptions random;
  random.iterations = 2;
  random.val_range.set("x", {10, 20});
  show("random", random);
  show("list", {sample(1), sample(2)});
  show("generator", [next = 0]() mutable -> std::optional<pg::ValueMap> {
    if (next == 3) return std::nullopt;
    return sample(next++);
  });
  show("range", std::views::iota(5, 8) | std::views::transform(sample));
  show("files", pg::DataSource::files({"inputs.json"}));  // the last saved file
}
