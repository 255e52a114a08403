#include "polygraphy/comparison/output_check/output_check.h"

#include <utility>

#include "base/log.h"
#include "polygraphy/comparison/compare/accuracy.h"
#include "polygraphy/comparison/task_metrics/judged_output.h"

namespace polygraphy {

struct OutputJudge::State {
  State(const OutputCheck& check, std::string reference_name, std::string target_name)
      : reference(std::move(reference_name)),
        target(std::move(target_name)),
        task_metric(check.task_metric ? task_metric_comparison(*check.task_metric, quiet)
                                      : nullptr),
        comparison(options(check), quiet) {}

  CompareOptions options(const OutputCheck& check) {
    CompareOptions options;
    options.record = &samples;
    options.metrics = check.metrics;
    options.metric_options = check.metric_options;
    options.compare_script = check.function;
    if (task_metric) options.compare_script = task_metric;
    return options;
  }

  Logger quiet;  // for messages about each output
  const std::string reference, target;
  const std::shared_ptr<TaskMetricComparison> task_metric;
  RunRecord samples;  // requests them
  AccuracyComparison comparison;
};

void require_sense(const OutputCheck& check, const std::vector<std::string>& outputs) {
  const OutputJudge judge(check, {}, {});
  if (check.task_metric && !check.task_metric->output.empty())
    require_output(check.task_metric->output, outputs);
}

OutputJudge::OutputJudge(const OutputCheck& check, const std::string& reference,
                         const std::string& target)
    : state_(std::make_unique<State>(check, reference, target)) {}
OutputJudge::~OutputJudge() = default;

void OutputJudge::add(const ValueMap& feed, const ArrayMap& reference, const ArrayMap& target) {
  if (state_->task_metric) state_->task_metric->saw(feed);
  std::vector<IterationResult> results(2);
  results[0].outputs = reference;
  results[0].runner_name = state_->reference;
  results[1].outputs = target;
  results[1].runner_name = state_->target;
  state_->comparison.add(results);
}

bool OutputJudge::decided() const {
  if (state_->task_metric) return state_->task_metric->decided();
  return state_->comparison.differs();
}

std::string OutputJudge::measure() const {
  return record().measure;
}

RunRecord OutputJudge::record() const {
  return state_->comparison.record();
}

Verdict OutputJudge::verdict() const {
  return state_->comparison.verdict();
}

}  // namespace polygraphy
