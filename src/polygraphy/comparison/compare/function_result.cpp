#include "polygraphy/comparison/compare/function_result.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {

OrderedMap<double> figures_by_name(const OutputResult& result) {
  OrderedMap<double> figures;
  for (const auto& [name, value] : known_figures(result)) figures.set(std::string(name), value);
  return figures;
}

OrderedMap<double> limits_by_name(const OutputResult& result) {
  OrderedMap<double> limits;
  if (!result.metric) return limits;
  const auto names = split(result.metric->limits, ' ');
  const auto& given = result.threshold.limits;
  for (size_t i = 0; i < std::min(names.size(), given.size()); ++i)
    limits.set(std::string(names[i]), given[i].value);
  return limits;
}

}  // namespace polygraphy
