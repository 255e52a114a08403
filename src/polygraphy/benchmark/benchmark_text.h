// What a benchmark found: as a table for people, as JSON, as a picture.
#pragma once

#include <string>
#include <string_view>

#include "base/log.h"
#include "base/log_modules.h"
#include "polygraphy/benchmark/benchmark.h"

namespace polygraphy {

inline constexpr std::string_view kBenchmarkModule = log_modules::kBenchmark;

// A table per case at INFO: latencies in milliseconds, runs (and samples) per second, memory, and
// how many times the first runner's median latency. Below it the `nodes` slowest nodes.
void log_benchmark(const BenchmarkReport& report, size_t nodes, Logger& log);

// Written atomically; throws IoError. Seconds and bytes; every single run is there.
void save_benchmark(const BenchmarkReport& report, const std::string& path);

// An SVG file: median latency with the 90th percentile, and throughput, for each case and runner.
void save_benchmark_plot(const BenchmarkReport& report, const std::string& path);

}  // namespace polygraphy
