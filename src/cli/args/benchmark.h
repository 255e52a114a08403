// `run --benchmark` (docs/benchmark.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy::cli {

extern const ArgGroup args_benchmark;

struct BenchmarkArgs {
  bool enabled = false;
  int64_t runs = 50, warm_up = 5;
  std::vector<Metadata> shapes;
  std::vector<int64_t> batches;
  int64_t nodes = 0;  // how many to print; 0: no times of single nodes
  std::string save, save_plot;
  bool compare_too = false;  // something else than the benchmark was asked for by name
};

// Throws Error for numbers that make no sense, and for options of the group without --benchmark.
BenchmarkArgs resolve_benchmark(const ParsedArgs& args, const Environment& env);

}  // namespace polygraphy::cli
