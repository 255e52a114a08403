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
#include "polygraphy/comparison/compare/report/report_options.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/decoding/decode_options.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// How much memory a run may take. Outputs that do not fit are computed in groups; a model runs in
// parts if its weights do not fit.
struct MemoryLimit {
  uint64_t bytes = 0;     // for all processes together
  std::string text = {};  // the limit as messages name it: "a limit of 512 MiB"
};

struct RunJob {
  std::vector<RunnerSpec> runners;  // none: saved outputs are compared with each other
  ModelSource model;
  // The same feeds each time; called more than once under a memory limit only. Empty: generated.
  std::function<std::unique_ptr<FeedSource>()> make_feeds;
  CompareOptions options;
  std::optional<MemoryLimit> memory_limit = {};  // nullopt: all outputs at once
  std::shared_ptr<Decoding> decoding =
      {};                      // runners decode; null: each inference is one of the model
  std::string tokenizer = {};  // a file that names the tokens of the verdict; empty: none
  ReportOptions report;
};

// The verdict on everything that was compared and validated, as run_and_compare(). Throws Error as
// run_and_compare(), plan_memory() and RunnerFactory::make().
Verdict run(const RunJob& job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
