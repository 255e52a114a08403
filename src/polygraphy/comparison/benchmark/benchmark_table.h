// Benchmarks as tables in the log.
#pragma once

#include <cstddef>

#include "base/log.h"
#include "polygraphy/comparison/benchmark/benchmark.h"

namespace polygraphy {

// A table per case at INFO: latencies in milliseconds, runs (and samples) per second, memory, and
// the ratio to the median latency of the first runner. Below it the `nodes` slowest nodes.
void log_benchmark(const BenchmarkReport& report, size_t nodes, Logger& log);

}  // namespace polygraphy
