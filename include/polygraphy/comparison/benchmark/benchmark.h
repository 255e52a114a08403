// How fast runners are and what memory they take: `run --benchmark` (docs/benchmark.md).
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
  int64_t warm_up = 5;      // runs of each runner and case that do not count
  int64_t runs = 50;        // those that do, at least 1
  CancelToken cancel = {};  // asked between runs: ends the benchmark with Interrupted
  // Told after each run, whether it counts or not, of all that there will be. May be empty.
  Progress progress = {};
  // What to do about the failure of a runner, for the log; without it: the error's hint.
  std::function<std::string(const Error&)> advice = {};
};

// One runner with the inputs of one case.
struct BenchmarkFigures {
  std::string failure;          // not empty: the runtime's message, and no figure means anything
  std::vector<double> seconds;  // of each run that counts, in their order
  Latencies latencies;
  // From before the runner was loaded to the most that its first run took, of the process and
  // those it started; 0: not known.
  uint64_t peak_bytes = 0;
  std::vector<NodeTime> nodes;  // slowest first; empty unless asked for
};

struct BenchmarkReport {
  struct RunnerRow {
    std::string name;
    double load_seconds = 0;
    std::string failure;  // it could not be loaded
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

// Runners take turns: the runs that count are split into ten rounds, in each round every runner has
// a turn, beginning with another one each time, and with several runners the first run of a turn
// does not count. So what slows the machine down for a while slows all of them, and no one pays for
// another's use of the caches. Inputs are the first runner's, fitted to the others'. A runner that
// fails is reported and left out; the others go on. Leaves the runners inactive. Throws
// Interrupted.
BenchmarkReport run_benchmark(const Runners& runners, std::span<const BenchmarkCase> cases,
                              const BenchmarkOptions& options, Logger& log);

// Adds the times of single nodes, by runners like those of the report but made with the option
// "profile": timing nodes slows the whole, so that is done apart. The median of ten runs
// where the runtime can time more than one. Warns of runtimes that do not tell.
void add_node_times(const Runners& profiled, std::span<const BenchmarkCase> cases,
                    BenchmarkReport& report, Logger& log);

}  // namespace polygraphy
