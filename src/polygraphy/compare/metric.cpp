#include "polygraphy/compare/metric.h"

#include "base/arrays/numpy_text.h"

namespace polygraphy {

std::string GivenNumber::repr() const {
  return typed.empty() ? py_float_repr(value) : typed;
}

const Metric* find_metric(std::string_view name) {
  for (const Metric* metric : metrics()) {
    if (metric->name == name) return metric;
  }
  return nullptr;
}

}  // namespace polygraphy
