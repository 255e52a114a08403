#include "polygraphy/compare/metric.h"

namespace polygraphy {

const Metric* find_metric(std::string_view name) {
  for (const Metric* metric : metrics()) {
    if (metric->name == name) return metric;
  }
  return nullptr;
}

}  // namespace polygraphy
