#include "polygraphy/comparison/compare/metric_options.h"

#include "base/arrays/py_repr.h"

namespace polygraphy {
namespace {

template <typename T>
const T& value_or_empty(const OrderedMap<T>& values, std::string_view option) {
  static const T kEmpty{};
  const T* found = values.find(option);
  return found == nullptr ? kEmpty : *found;
}

}  // namespace

std::string GivenNumber::repr() const {
  return typed.empty() ? py_float_repr(value) : typed;
}

const PerOutput<GivenNumber>& MetricOptions::numbers_of(std::string_view option) const {
  return value_or_empty(numbers, option);
}

const PerOutput<std::string>& MetricOptions::texts_of(std::string_view option) const {
  return value_or_empty(texts, option);
}

std::string MetricOptions::folder(std::string_view option) const {
  return value_or_empty(folders, option);
}

bool MetricOptions::flag(std::string_view option) const {
  return value_or_empty(flags, option);
}

}  // namespace polygraphy
