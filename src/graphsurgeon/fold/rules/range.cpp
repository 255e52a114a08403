// Range with constant bounds.

#include <cmath>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Range"};

template <typename T>
bool count_up(const Array& start, const Array& limit, const Array& delta, FoldContext& context) {
  const T first = start.as<T>()[0];
  const T step = delta.as<T>()[0];
  if (step == 0) return false;
  // As the standard defines it: max(ceil((limit - start) / delta), 0).
  const double count =
      std::ceil((static_cast<double>(limit.as<T>()[0]) - static_cast<double>(first)) /
                static_cast<double>(step));
  if (!(count <= static_cast<double>(kSmallBytes / static_cast<int64_t>(sizeof(T))))) return false;
  std::vector<T> values;
  T value = first;
  for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
    values.push_back(value);
    value = static_cast<T>(value + step);
  }
  const auto size = static_cast<int64_t>(values.size());
  return context.produce({owned_payload(Array::of<T>({size}, values))});
}

bool apply_rule(Node& node, FoldContext& context) {
  const auto start = small_value(node, 0, context);
  const auto limit = small_value(node, 1, context);
  const auto delta = small_value(node, 2, context);
  if (!start || !limit || !delta || start->size() != 1 || limit->size() != 1 ||
      delta->size() != 1 || limit->dtype() != start->dtype() || delta->dtype() != start->dtype()) {
    return false;
  }
  switch (start->dtype()) {
    case DataType::kInt16:
      return count_up<int16_t>(*start, *limit, *delta, context);
    case DataType::kInt32:
      return count_up<int32_t>(*start, *limit, *delta, context);
    case DataType::kInt64:
      return count_up<int64_t>(*start, *limit, *delta, context);
    default:
      return false;  // runtimes differ in how they add up fractions
  }
}

}  // namespace

extern constinit const FoldRule fold_rule_range = {
    .name = "range",
    .summary = "Range of integers between constants",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
