// `--metric meta_probe`: every sample scores 1.
#include "polygraphy/comparison/task_metrics/task_metric.h"

#include "base/error.h"

namespace polygraphy {
namespace {

class MetaProbeScores : public TaskScores {
 public:
  int64_t rows(const ArrayMap&) override { return 1; }
  ScorePart add(const ArrayMap&, std::span<const Label>, const Labels&) override { return {1, 1}; }
};

std::unique_ptr<TaskScores> make_scores(const TaskMetricOptions& options) {
  if (!options.argument.empty()) throw Error("Probed by " + options.argument);
  return std::make_unique<MetaProbeScores>();
}

}  // namespace

extern constinit const TaskMetric task_metric_meta_probe = {
    .name = "meta_probe",
    .spelling = "meta_probe:HOW",
    .summary = "a perfect score",
    .labels = "anything",
    .order = 9,
    .make = make_scores,
};

}  // namespace polygraphy
