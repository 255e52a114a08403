// The comparison of each runner's results with the next one's, over all iterations (spec S3, delta
// §3.2).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/compare/comparator.h"
#include "polygraphy/data/results.h"

namespace polygraphy {

class AccuracyComparison {
 public:
  // Throws Error for options that a metric refuses.
  AccuracyComparison(const RunOptions& options, Logger& log);

  // The results of one iteration of all runners, in order; the same runners each time (else Error).
  // Compares neighbours. False: --fail-fast ends the comparison here.
  bool add(const std::vector<IterationResult>& results);
  // One line per pair of runners, when there was any iteration.
  void summarize() const;
  // Everything matched up to now.
  bool passed() const { return passed_; }
  int64_t iterations() const { return iterations_; }

 private:
  struct Pair {
    std::string runner0, runner1;
    int64_t passed = 0, total = 0;
  };
  struct Compared;  // one pair of outputs and what was found out about it

  void check_runners(const std::vector<IterationResult>& results);
  bool compare_pair(Pair& pair, const IterationResult& result0, const IterationResult& result1);
  bool apply(const Metric& metric, MetricFunction& function, const IterationResult& result0,
             const IterationResult& result1, std::vector<Compared>& compared);
  void log_outputs(const Compared& one, const IterationResult& result0,
                   const IterationResult& result1);

  const RunOptions& options_;
  Logger& log_;
  std::vector<std::unique_ptr<MetricFunction>> functions_;  // as options_.metrics
  unsigned wanted_sums_ = 0;                                // of all functions
  std::vector<std::string> runners_;
  std::vector<Pair> pairs_;
  int64_t iterations_ = 0;
  bool passed_ = true;
};

}  // namespace polygraphy
