// `check accuracy`: judges saved results of comparisons by other thresholds, without outputs or
// inference.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"
#include "polygraphy/comparison/compare/result_function.h"

namespace polygraphy {

// The file does not hold results of comparisons.
inline constexpr ErrorCode kNoComparisons{"no-comparisons"};
// The saved results lack the figures, the elements or the quantile that a threshold needs.
inline constexpr ErrorCode kNoSavedFigures{"no-saved-figures"};
inline constexpr ErrorCode kNoSavedElements{"no-saved-elements"};
inline constexpr ErrorCode kNoSavedQuantile{"no-saved-quantile"};

struct CheckAccuracyOptions {
  struct Selected {
    const Metric* metric;
    // true: judge by the thresholds of `metric_options`; else by those saved with the results
    bool anew;
  };
  std::vector<Selected> selected;  // empty: everything, by the saved thresholds
  MetricOptions metric_options;
  // A script's function in their place, with its own thresholds.
  std::shared_ptr<ResultComparison> script;
  bool check_average = false;
  // Receives the judged results. May be empty.
  std::function<void(const AccuracyResults&)> on_judged = {};
  std::string save_results;  // file for the judged results and their thresholds
};

// Logs a summary per comparison and a verdict, and returns that on everything. Throws Error in the
// original's words if the file lacks results of a selected function or figures that thresholds
// need, and if there is nothing to judge.
Verdict check_accuracy(AccuracyResults results, const CheckAccuracyOptions& options, Logger& log);

}  // namespace polygraphy
