// The job behind `run`: runs and compares runners, in groups of outputs if memory is limited, and
// reports the results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/comparison/compare/report/report_options.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

// A limit on the memory of a run, and the functions that run its model in groups of outputs.
struct MemoryLimit {
  uint64_t bytes = 0;     // for all processes together
  std::string text = {};  // the limit as messages name it: "a limit of 512 MiB"
  bool isolated = false;  // each runner has its own process
  std::function<std::unique_ptr<graphsurgeon::Model>()> load_model = {};
  // Makes the job's runners, with the given names, for a model with only these outputs. The runners
  // of the previous call no longer exist.
  std::function<Runners(const std::vector<std::string>& names,
                        const std::vector<std::string>& outputs)>
      make_runners = {};
};

struct RunJob {
  Runners runners;  // inactive; none: saved outputs are compared with each other
  // Returns the same feeds each time; called more than once only under a memory limit. Empty:
  // generated feeds.
  std::function<std::unique_ptr<FeedSource>()> make_feeds;
  CompareOptions options;
  std::optional<MemoryLimit> memory_limit = {};  // nullopt: all outputs at once
  ReportOptions report;
};

// Returns true if all compared outputs match and are valid, and no runner failed. Throws the errors
// of run_and_compare() and plan_output_groups().
bool run(const RunJob& job, Logger& log);

}  // namespace polygraphy
