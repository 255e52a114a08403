// How outputs of a model are judged by what is right: a value for jobs that run a model many times.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/comparison/task_metrics/task_metric_comparison.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

struct Metric;

struct OutputCheck {
  // Of `run --compare`: every output must pass by all of them.
  std::vector<const Metric*> metrics = {};
  MetricOptions metric_options = {};
  // In their place; without `runners` and `order`.
  std::optional<TaskMetricJob> task_metric = {};
  // In the place of both: judges sample by sample. May be null.
  std::shared_ptr<ResultComparison> function = {};
};

// Throws Error: options make no sense, or a model with these outputs has none of the name that the
// check judges.
void require_sense(const OutputCheck& check, const std::vector<std::string>& outputs);

// One judgement: the verdict of `run` on the same outputs.
class OutputJudge {
 public:
  // Names of the sides, in the verdict. Throws Error for options that make no sense.
  OutputJudge(const OutputCheck& check, const std::string& reference, const std::string& target);
  ~OutputJudge();
  OutputJudge(const OutputJudge&) = delete;
  OutputJudge& operator=(const OutputJudge&) = delete;

  // The next sample. Throws Error for outputs and labels that do not suit each other.
  void add(const ValueMap& feed, const ArrayMap& reference, const ArrayMap& target);
  // Further samples would not, or hardly, turn the verdict on those up to now.
  bool decided() const;
  std::string measure() const;  // Verdict::measure
  // On all samples up to now.
  Verdict verdict() const;
  // The results of each sample up to now; without samples for a task metric.
  RunRecord record() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
