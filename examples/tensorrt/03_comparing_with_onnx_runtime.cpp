// Runs a model on TensorRT and on ONNX Runtime, and compares what they return.
#include <cstdio>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  pg::TrtRunner tensorrt(pg::EngineFromNetwork(pg::NetworkFromOnnxPath("identity.onnx")));
  pg::OnnxrtRunner onnxrt("identity.onnx");
  const pg::RunResults results = pg::Comparator::run({tensorrt, onnxrt});

  const pg::AccuracyResults accuracy = pg::Comparator::compare_accuracy(
      results, {.compare_func = pg::CompareFunc::simple({.atol = 1e-8})});
  results.save("inference_results.json");
  std::printf("Outputs %s\n", accuracy ? "match!" : "differ.");
  return accuracy ? 0 : 1;
}
