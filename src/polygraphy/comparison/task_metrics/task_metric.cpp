#include "polygraphy/comparison/task_metrics/task_metric.h"

#include <algorithm>

namespace polygraphy {

std::vector<const TaskMetric*> listed_task_metrics() {
  const auto all = task_metrics();
  std::vector<const TaskMetric*> listed(all.begin(), all.end());
  std::ranges::stable_sort(listed, {}, &TaskMetric::order);
  return listed;
}

const TaskMetric* find_task_metric(std::string_view name) {
  for (const TaskMetric* metric : task_metrics()) {
    if (metric->name == name) return metric;
  }
  return nullptr;
}

}  // namespace polygraphy
