// The job behind `run`: runners are run and compared, in groups of outputs where memory is limited,
// and what was found is reported.
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

// How much memory a run may take, and how its model is run in parts to keep to that.
struct MemoryLimit {
  uint64_t bytes = 0;     // that all processes may take together
  std::string text = {};  // the limit as messages name it: "a limit of 512 MiB"
  bool isolated = false;  // runners have processes of their own
  std::function<std::unique_ptr<graphsurgeon::Model>()> load_model = {};
  // The job's runners, by the names given, of a model with only these outputs. Those of the
  // previous call are gone by then.
  std::function<Runners(const std::vector<std::string>& names,
                        const std::vector<std::string>& outputs)>
      make_runners = {};
};

struct RunJob {
  Runners runners;  // inactive; none: saved outputs are compared with each other
  // The same feeds each time; called more than once under a memory limit only. Empty: generated.
  std::function<std::unique_ptr<FeedSource>()> make_feeds;
  CompareOptions options;
  std::optional<MemoryLimit> memory_limit = {};  // nullopt: all outputs at once
  ReportOptions report;
};

// True: everything compared matched and validated, and no runner failed. Throws Error as
// run_and_compare() and plan_output_groups().
bool run(const RunJob& job, Logger& log);

}  // namespace polygraphy
