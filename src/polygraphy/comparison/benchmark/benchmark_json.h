// Benchmarks as JSON files.
#pragma once

#include <string>

#include "polygraphy/comparison/benchmark/benchmark.h"

namespace polygraphy {

// Written atomically; throws IoError. Seconds and bytes; every single run is there.
void save_benchmark(const BenchmarkReport& report, const std::string& path);

}  // namespace polygraphy
