// Results of comparisons as --save-accuracy-results has them, and what can be done with them
// without the outputs: judging them anew, averaging, counting.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/comparison/compare/metric_result.h"

namespace polygraphy {

// One output in one iteration. Without a metric there is nothing but the verdict (different shapes,
// `indices`, a script's function).
struct JudgedOutput {
  const Metric* metric = nullptr;
  OutputResult result;
};

using JudgedIteration = OrderedMap<JudgedOutput>;

// Two runners, compared with each other.
struct JudgedPair {
  std::string runner0, runner1;
  std::vector<JudgedIteration> iterations;

  int64_t matched() const;  // iterations in which every output passed
};

// Iterations of a pair of runners.
struct AccuracyStats {
  int64_t matched = 0, mismatched = 0, total = 0;
};

// What one comparison function found.
struct AccuracyResult {
  std::vector<JudgedPair> pairs;
  // --check-average: the verdict is on the figures' means over the iterations, not on each.
  bool average = false;

  // The metric of its figures; null when there are none.
  const Metric* metric() const;
};

struct AccuracyResults {
  std::vector<AccuracyResult> comparisons;

  // Everything matched; with `average`, the means did. Also when nothing was compared.
  explicit operator bool() const;
  // Of one pair of runners, by its place: how many iterations matched by every function, and which
  // part of them (0 to 1; 1 when there was none). Throw Error when there is no such pair.
  AccuracyStats stats(size_t pair = 0) const;
  double percentage(size_t pair = 0) const;

  // As --save-accuracy-results has them, without a word. Throw Error.
  void save(const std::string& path) const;
  static AccuracyResults load(const std::string& path);
};

// Throws IoError, FormatError, and Error in the original's words when the file is of another kind.
AccuracyResults load_accuracy_results(const std::string& path, Logger& log);
void save_accuracy_results(const AccuracyResults& results, const std::string& path, Logger& log);

}  // namespace polygraphy
