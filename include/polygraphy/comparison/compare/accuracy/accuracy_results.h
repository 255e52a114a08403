// Results of comparisons in the form of --save-accuracy-results. Judging again, averaging and
// counting need no outputs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

// By output. Without a metric there is only the verdict (different shapes, `indices`, a script's
// function).
using JudgedIteration = OrderedMap<OutputResult>;

// Two runners, compared with each other.
struct JudgedPair {
  std::string runner0, runner1;
  std::vector<JudgedIteration> iterations;
  bool ran_out = false;  // one of them had more iterations; not in files

  int64_t matched() const;  // iterations in which every output passed
};

// Iterations of a pair of runners.
struct AccuracyStats {
  int64_t matched = 0, mismatched = 0, total = 0;
};

// The results of one comparison function.
struct AccuracyResult {
  std::vector<JudgedPair> pairs;
  // --check-average: the verdict judges the means of the figures over the iterations.
  bool average = false;

  // The metric of its figures; null without figures.
  const Metric* metric() const;
};

struct AccuracyResults {
  std::vector<AccuracyResult> comparisons;

  // On all outputs of all pairs; with `average`, on their means.
  Verdict verdict() const;
  // verdict().acceptable(): also true if there are no results.
  explicit operator bool() const;
  // For the pair of runners at this position: the number of iterations that matched by every
  // function, and their fraction (0 to 1; 1 without iterations). Throw Error if the pair does not
  // exist.
  AccuracyStats stats(size_t pair = 0) const;
  double percentage(size_t pair = 0) const;

  // Writes the file of --save-accuracy-results, without messages. Throw Error.
  void save(const std::string& path) const;
  static AccuracyResults load(const std::string& path);
};

// Throws IoError, FormatError, and Error in the original's words when the file is of another kind.
AccuracyResults load_accuracy_results(const std::string& path, Logger& log);
void save_accuracy_results(const AccuracyResults& results, const std::string& path, Logger& log);
// Of the text of such a file; `source` names it in messages.
AccuracyResults parse_accuracy_results(std::string_view text, const std::string& source);
// Appends the iterations of a later part of the same run. Throws Error (kOtherRun).
void append(AccuracyResults& whole, AccuracyResults part);

}  // namespace polygraphy
