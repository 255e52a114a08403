// Latency and memory of runners: `run --benchmark` (docs/benchmark.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/benchmark/latencies.h"
#include "polygraphy/runtimes/backend/node_time.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

// Inputs of one shape.
struct BenchmarkCase {
  int64_t batch = 0;  // samples in a run; 0: not known
  std::function<ValueMap(const Metadata& inputs)> feed;
};

struct BenchmarkOptions {
  int64_t warm_up = 5;      // unmeasured runs of each runner and case
  int64_t runs = 50;        // measured runs of each runner and case, at least 1
  CancelToken cancel = {};  // checked between runs: ends the benchmark with Interrupted
  // Makes the remedy that is logged when a runner fails; empty: the error's hint.
  std::function<std::string(const Error&)> advice = {};
};

// One runner with the inputs of one case.
struct BenchmarkFigures {
  std::string failure;          // not empty: the runtime's message; the figures are invalid
  std::vector<double> seconds;  // of each measured run, in order
  Latencies latencies;
  // Growth of memory from before the runner was loaded to the peak of its first run, of the process
  // and its children; 0: not known.
  uint64_t peak_bytes = 0;
  std::vector<NodeTime> nodes;  // slowest first; empty unless add_node_times() ran
};

struct BenchmarkReport {
  struct RunnerRow {
    std::string name;
    double load_seconds = 0;
    std::string failure;  // not empty: the runner could not be loaded
  };
  struct CaseRow {
    std::string inputs;  // "x:[1,3,224,224]"
    int64_t batch = 0;
    std::vector<BenchmarkFigures> figures;  // in order of the runners
  };
  std::vector<RunnerRow> runners;
  std::vector<CaseRow> cases;

  bool failed() const;
};

// Runners take turns: the measured runs are split into ten rounds. In each round every runner has a
// turn, starting with a different one; with several runners, the first run of a turn does not
// count. So a temporary load on the machine slows all runners alike, and no runner pays for caches
// that another one filled. The first runner's inputs are adapted to the others. A runner that fails
// is reported and left out; the others go on. Leaves the runners inactive. Throws Interrupted.
BenchmarkReport run_benchmark(const Runners& runners, std::span<const BenchmarkCase> cases,
                              const BenchmarkOptions& options, Logger& log);

// Adds the times of single nodes, by runners like the report's but made with the option "profile":
// timing slows inference, so it has separate sessions. The median of ten runs if the runtime can
// time more than one. Warns of runtimes that do not report times.
void add_node_times(const Runners& profiled, std::span<const BenchmarkCase> cases,
                    BenchmarkReport& report, Logger& log);

}  // namespace polygraphy
