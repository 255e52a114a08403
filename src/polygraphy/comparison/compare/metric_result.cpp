#include "polygraphy/comparison/compare/metric_result.h"

#include "base/text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {

std::string_view name_of(const Metric& metric) {
  return metric.name;
}

std::vector<std::string_view> figure_names(const Metric& metric) {
  return metric.figures.empty() ? std::vector<std::string_view>() : split(metric.figures, ' ');
}

}  // namespace polygraphy
