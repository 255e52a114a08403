// Computes 1 + 2 and 2 + 3 with the runtime that is installed with the package.
#include <cstdio>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/runtimes/backend/default_evaluator.h"

int main() {
  polygraphy::Logger silent;
  const auto evaluator = polygraphy::default_evaluator(silent);
  const graphsurgeon::Model region = graphsurgeon::parse_onnx_text(
      "g (int64[2] x, int64[2] y) => (int64[2] z) { z = Add (x, y) }");
  const auto sums =
      evaluator->evaluate(region, {{"x", polygraphy::Array::of<int64_t>({2}, {1, 2})},
                                   {"y", polygraphy::Array::of<int64_t>({2}, {2, 3})}});
  std::printf("%ld %ld\n", static_cast<long>(sums[0].get_int64(0)),
              static_cast<long>(sums[0].get_int64(1)));
  return 0;
}
