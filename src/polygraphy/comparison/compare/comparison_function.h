// A comparison function of a run as it judges two results: a metric, or a script in the place of
// all metrics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/comparison/compare/pairs/pair_batches.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

class ComparisonFunction {
 public:
  virtual ~ComparisonFunction() = default;
  // Logs what it finds. With --fail-fast it ends at the first output that fails. `pairs` has the
  // pairs of the functions before, which are the same, from the first on; new ones are added. A
  // metric's results are in their order, and behind them those of outputs that one side lacks.
  // Throws Error.
  virtual OutputResults compare(const IterationResult& result0, const IterationResult& result1,
                                std::vector<ComparedPair>& pairs) = 0;
  virtual Threshold threshold(const std::string& output) const = 0;
};

// Those of the options, which must outlive them. Throws Error for options that a metric refuses.
std::vector<std::unique_ptr<ComparisonFunction>> comparison_functions(const CompareOptions& options,
                                                                      Logger& log);

}  // namespace polygraphy
