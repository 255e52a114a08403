// Benchmarks as SVG pictures.
#pragma once

#include <string>

#include "polygraphy/comparison/benchmark/benchmark.h"

namespace polygraphy {

// An SVG file: median latency with the 90th percentile, and throughput, for each case and runner.
// Throws IoError.
void save_benchmark_plot(const BenchmarkReport& report, const std::string& path);

}  // namespace polygraphy
