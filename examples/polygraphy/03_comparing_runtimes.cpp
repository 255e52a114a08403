// Runs one model on two runtimes with the same random inputs, compares what they return and saves
// it.
#include <cstdio>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  pg::OnnxrtRunner onnxrt(pg::SessionFromOnnx{"identity.onnx"});
  pg::OpenVinoRunner openvino("identity.onnx");

  // Custom inputs: give the option data_loader a list, a generator, or files (see 06).
  const pg::RunResults results = pg::Comparator::run({onnxrt, openvino});

  // The default is CompareFunc::simple() with its default tolerances.
  const pg::AccuracyResults accuracy = pg::Comparator::compare_accuracy(
      results, {.compare_func = pg::CompareFunc::simple({.atol = 1e-8})});
  const pg::AccuracyStats stats = accuracy.stats();
  std::printf("%ld of %ld iterations match\n", static_cast<long>(stats.matched),
              static_cast<long>(stats.total));

  // Look at them with `polygraphy inspect data inference_results.json`, or compare them later.
  results.save("inference_results.json");
  accuracy.save("accuracy.json");
  return accuracy ? 0 : 1;
}
