// `--metric top1`: the share of rows whose highest score is that of the right class.
#include "polygraphy/comparison/task_metrics/class_ranks.h"

namespace polygraphy {
namespace {

std::unique_ptr<TaskScores> make_scores(const TaskMetricOptions& options) {
  return class_ranks(options.output, 1);
}

}  // namespace

extern constinit const TaskMetric task_metric_top1 = {
    .name = "top1",
    .spelling = "top1",
    .summary = "share of rows with the highest score for the right class",
    .labels = "classes",
    .order = 0,
    .make = make_scores,
};

}  // namespace polygraphy
