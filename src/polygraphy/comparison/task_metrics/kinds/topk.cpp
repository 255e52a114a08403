// `--metric topk:5`: the share of rows whose right class is among the K highest scores.
#include <charconv>

#include "base/error.h"
#include "polygraphy/comparison/task_metrics/class_ranks.h"

namespace polygraphy {
namespace {

std::unique_ptr<TaskScores> make_scores(const TaskMetricOptions& options) {
  const std::string& text = options.argument;
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1)
    throw Error("topk needs the number of classes that count, but has '" + text + "'",
                "For example topk:5.");
  return class_ranks(options.output, count);
}

}  // namespace

extern constinit const TaskMetric task_metric_topk = {
    .name = "topk",
    .spelling = "topk:K",
    .summary = "share of rows with the right class among the K highest scores",
    .labels = "classes",
    .order = 1,
    .make = make_scores,
};

}  // namespace polygraphy
