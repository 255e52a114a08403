// `check accuracy`: saved results of comparisons held against other thresholds, without outputs or
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

// Saved results are not of comparisons.
inline constexpr ErrorCode kNoComparisons{"no-comparisons"};
// Saved results have nothing to hold against a threshold, not for these elements, or not the
// quantile.
inline constexpr ErrorCode kNoSavedFigures{"no-saved-figures"};
inline constexpr ErrorCode kNoSavedElements{"no-saved-elements"};
inline constexpr ErrorCode kNoSavedQuantile{"no-saved-quantile"};

struct CheckAccuracyOptions {
  struct Selected {
    const Metric* metric;
    bool anew;  // against the thresholds of `metric_options`; else those saved with the results
  };
  std::vector<Selected> selected;  // empty: everything, by what was saved with it
  MetricOptions metric_options;
  // A script's function in their place: what it makes is judged by its thresholds.
  std::shared_ptr<ResultComparison> script;
  bool check_average = false;
  // Sees what was judged. May be empty.
  std::function<void(const AccuracyResults&)> on_judged = {};
  std::string save_results;  // what was judged goes here, with the thresholds that it was held to
};

// Logs a summary per comparison and a verdict. True when everything passed. Throws Error in the
// original's words when the file has no results of a selected function, or figures that thresholds
// need are missing; and when there is nothing at all to judge.
bool check_accuracy(AccuracyResults results, const CheckAccuracyOptions& options, Logger& log);

}  // namespace polygraphy
