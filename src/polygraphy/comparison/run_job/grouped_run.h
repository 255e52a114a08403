// Comparing more outputs than fit into memory: the model is run once per group of outputs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/comparison/run/output_groups.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

inline constexpr ErrorCode kNotInGroups{"not-in-groups"};

struct GroupedRun {
  // Runners of a model whose outputs are these.
  std::vector<RunnerSpec> runners;  // with names
  ModelSource model;                // of each group with its outputs only
  // The same feeds each time.
  std::function<std::unique_ptr<FeedSource>()> make_feeds;
  uint64_t memory_limit;  // bytes that all processes may take together
};

// Throws Error for options that need all results of an iteration at once (kNotInGroups).
// Results can be saved in binary files only (results/result_store.h), where they lie in any order.
void check_groupable(const CompareOptions& options);

// For each group: all iterations, as run_and_compare(); inputs are saved by the first. A line
// before each group says which it is. The verdict on all groups.
Verdict run_in_groups(OutputGroups& groups, const GroupedRun& how, const CompareOptions& options,
                      RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
