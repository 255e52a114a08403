#include "polygraphy/compare/metric.h"

#include <algorithm>

namespace polygraphy {

std::vector<const Metric*> listed_metrics() {
  const auto table = metrics();
  std::vector<const Metric*> listed(table.begin(), table.end());
  std::stable_sort(listed.begin(), listed.end(),
                   [](const Metric* a, const Metric* b) { return a->order < b->order; });
  return listed;
}

const Metric* find_metric(std::string_view name) {
  for (const Metric* metric : metrics()) {
    if (metric->name == name) return metric;
  }
  return nullptr;
}

std::vector<const Metric*> selected_metrics(std::string_view choice) {
  if (const Metric* metric = find_metric(choice)) return {metric};
  std::vector<const Metric*> members;
  for (const Metric* metric : listed_metrics()) {
    if (!metric->group.empty() && metric->group == choice) members.push_back(metric);
  }
  return members;
}

std::vector<std::string_view> metric_choices() {
  std::vector<std::string_view> choices;
  for (const Metric* metric : listed_metrics()) {
    choices.push_back(metric->name);
    if (!metric->group.empty() && selected_metrics(metric->group).back() == metric) {
      choices.push_back(metric->group);
    }
  }
  return choices;
}

}  // namespace polygraphy
