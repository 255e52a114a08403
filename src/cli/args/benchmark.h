// `run --benchmark` (docs/benchmark.md).
#pragma once

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/benchmark/benchmark_job.h"

namespace polygraphy::cli {

struct BenchmarkArgs {
  bool enabled = false;
  bool compare_too = false;  // an option that needs a comparison was given, too
  BenchmarkJob job;          // without runners and inputs
};

// Throws Error for numbers that make no sense, and for options of the group without --benchmark.
BenchmarkArgs resolve_benchmark(const ParsedArgs& args, const Environment& env);

}  // namespace polygraphy::cli
