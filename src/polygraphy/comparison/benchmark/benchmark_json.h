// Benchmarks as JSON.
#pragma once

#include <string>

#include "polygraphy/comparison/benchmark/benchmark.h"

namespace polygraphy {

// Seconds and bytes, of every single run. Ends with a newline.
std::string benchmark_json(const BenchmarkReport& report);
// benchmark_json() as a file, written atomically. Throws IoError.
void save_benchmark(const BenchmarkReport& report, const std::string& path);

}  // namespace polygraphy
