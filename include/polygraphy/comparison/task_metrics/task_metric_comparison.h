// A metric of the model's task over a data set (the accuracy of a classifier, the word errors of a
// speech recognizer) as the comparison of results: how much worse is the target than the reference?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/comparison/task_metrics/labels.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

class UserPython;

// The metric needs labels, but the job has no labels.
inline constexpr ErrorCode kNoLabels{"no-labels"};

// Batches of several sizes in another order: which labels belong to which is not known.
inline constexpr ErrorCode kUnevenBatches{"uneven-batches"};

struct TaskMetricJob {
  // A name with its argument, "top1", "topk:5"; or a function of a script, "score.py:f1": of the
  // outputs by name and the label of one iteration, which returns a score between 0 and 1.
  std::string metric = "top1";
  std::string output = {};  // the name of the output to judge; empty: the only one that suits
  // null: the metric has them from the inputs.
  std::shared_ptr<const Labels> labels = {};
  double drop = 0.005;  // the largest one that passes; of perplexity, relative
  double confidence = 0.95;
  // How many iterations the data set has; nullopt: follows from the labels, or is not known.
  std::optional<int64_t> iterations = {};
  // The iterations of the data set in the order of the results; empty: as they come.
  std::vector<int64_t> order = {};
  int64_t first = 0;  // the iteration of the data set that the first results are of
  bool even = true;   // all iterations have the same number of rows, but for the last of the set
  bool part = false;  // the iterations are some of those that have labels
  // Names of the sides that run; others were saved. A saved side is the reference of one that runs;
  // else the first of a pair is. Empty: not known.
  std::vector<std::string> runners = {};
  std::shared_ptr<UserPython> python = {};  // for scripts
};

class TaskMetricComparison : public ResultComparison {
 public:
  // The next feed, from which labels are taken where no file has them: one for each iteration, in
  // their order, before its results.
  virtual void saw(const ValueMap& feed) = 0;
};

// The labels of a file, one for each row that this metric judges, for however many comparisons.
// Throws Error for an unknown metric, IoError, FormatError.
std::shared_ptr<const Labels> load_labels_for(const std::string& metric, const std::string& path);

// A result for the same first runner as before is of the next iteration. verdict() is on all
// samples together, in units of samples; `excess` is the drop as a multiple of the allowed drop.
// decided() once no further sample is likely to change the verdict, with the job's confidence: the
// samples must come in random order. Throws Error for metrics that make no sense; compare() throws
// it for outputs and labels that do not suit each other. `log`, which outlives it, gets all digits
// of the figures with the verdict.
std::shared_ptr<TaskMetricComparison> task_metric_comparison(TaskMetricJob job, Logger& log);

// The numbers below `count` in a random order, always the same.
std::vector<int64_t> random_order(int64_t count);

}  // namespace polygraphy
