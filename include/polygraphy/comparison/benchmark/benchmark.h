// Latency and memory of runners: `run --benchmark` (docs/benchmark.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "base/record.h"
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
  std::string runner;
  std::string failure;          // not empty: the figures are invalid
  std::vector<double> seconds;  // of each measured run, in order
  Latencies latencies;
  uint64_t peak_bytes = 0;
  std::vector<NodeTime> nodes;  // empty unless add_node_times() ran
  int64_t batch = 0;            // samples in a run; 0: not known

  std::optional<Latencies> measured() const {
    return seconds.empty() ? std::nullopt : std::optional(latencies);
  }
  // Per second; nullopt: not known.
  std::optional<double> rate_of(int64_t count) const {
    if (seconds.empty() || count == 0) return std::nullopt;
    return static_cast<double>(count) / latencies.mean;
  }
};
constexpr auto record_of(RecordOf<BenchmarkFigures>) {
  using Of = BenchmarkFigures;
  return record<Of>(
      "BenchmarkFigures", "One runner with the inputs of one case.",
      member("runner", &Of::runner, "Its name."),
      member("failure", &Of::failure,
             "The engine's message if it failed: there are no figures. Missing: it ran.")
          .if_set(),
      derived("latency_seconds", &Of::measured, "Of the measured runs.").if_set().python("latency"),
      derived(
          "runs_per_second", [](const Of& of) { return of.rate_of(1).value_or(0); },
          "1 / the mean latency.")
          .if_set(),
      derived(
          "samples_per_second", [](const Of& of) { return of.rate_of(of.batch); },
          "Missing: the batch size is not known.")
          .if_set(),
      count("peak_bytes", &Of::peak_bytes,
            "Growth of memory, of the process and its children, from before the runner was loaded "
            "to the peak of its first run; missing: not known.")
          .if_set(),
      member("runs_seconds", &Of::seconds, "Of each measured run, in order.").if_set(),
      member("nodes", &Of::nodes, "The slowest first, if nodes were timed.").if_set());
}

struct BenchmarkReport {
  struct RunnerRow {
    std::string name;
    double load_seconds = 0;
    std::string failure;  // not empty: it could not be loaded
  };
  struct CaseRow {
    std::string inputs;  // "x:[1,3,224,224]"
    int64_t batch = 0;
    std::vector<BenchmarkFigures> figures;  // in order of the runners
  };
  std::vector<RunnerRow> runners;
  std::vector<CaseRow> cases;

  bool failed() const;    // one runner or more, in one case or more
  bool measured() const;  // one figure or more
};
constexpr auto record_of(RecordOf<BenchmarkReport::RunnerRow>) {
  using Of = BenchmarkReport::RunnerRow;
  return record<Of>(
      "BenchmarkedRunner", "A runner that was measured.", member("name", &Of::name, "Its name."),
      member("load_seconds", &Of::load_seconds, "The duration of loading the model.").if_set(),
      member("failure", &Of::failure,
             "The message if the model could not be loaded; missing: it was loaded.")
          .if_set());
}
constexpr auto record_of(RecordOf<BenchmarkReport::CaseRow>) {
  using Of = BenchmarkReport::CaseRow;
  return record<Of>(
      "BenchmarkCase", "Inputs of one shape.",
      member("inputs", &Of::inputs, "\"x:[1,3,224,224]\"."),
      derived(
          "batch",
          [](const Of& of) { return of.batch > 0 ? std::optional(of.batch) : std::nullopt; },
          "The batch size; missing: not known.")
          .if_set(),
      member("results", &Of::figures, "In the order of the runners."));
}
constexpr auto record_of(RecordOf<BenchmarkReport>) {
  using Of = BenchmarkReport;
  return record<Of>("BenchmarkResults", "Latency, throughput and memory of runners.",
                    form("benchmark_version", 1),
                    member("runners", &Of::runners, "In the order of the call."),
                    member("cases", &Of::cases, "Each set of shapes with each batch size."));
}

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
