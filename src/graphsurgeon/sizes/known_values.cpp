#include "graphsurgeon/sizes/known_values.h"

#include <algorithm>
#include <limits>

#include "graphsurgeon/sizes/counting_values.h"
#include "graphsurgeon/sizes/elementwise_values.h"
#include "graphsurgeon/sizes/selecting_values.h"

namespace graphsurgeon {

namespace {

// The integers that a type holds exactly.
struct Range {
  int64_t least, most;
};

Range range_of(DataType type) {
  if (type == DataType::kBool) return {0, 1};
  if (type == DataType::kFloat64) return {-(int64_t{1} << 53), int64_t{1} << 53};
  if (type == DataType::kFloat32) return {-(int64_t{1} << 24), int64_t{1} << 24};
  if (type == DataType::kFloat16) return {-(int64_t{1} << 11), int64_t{1} << 11};
  if (type == DataType::kBfloat16) return {-(int64_t{1} << 8), int64_t{1} << 8};
  constexpr Range kAll = {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  if (type == DataType::kUndefined) return kAll;
  if (!polygraphy::is_integral(type)) return {0, -1};
  const int bits = polygraphy::bit_width(type);
  if (polygraphy::kind_of(type) == polygraphy::Kind::kSigned) {
    return bits == 64 ? kAll : Range{-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
  }
  return {0, bits == 64 ? kAll.most : (int64_t{1} << bits) - 1};
}

// Numbers out of range wrap around; sizes are taken to fit into 24 bits and more.
void forget_what_does_not_fit(DataType type, KnownValues& values, SizeAlgebra& sizes) {
  const Range range = range_of(type);
  const bool holds_sizes = range.most >= range_of(DataType::kFloat32).most;
  const bool holds_fractions = polygraphy::is_floating(type);
  for (Dim& element : values.elements) {
    if (element.has_value()) {
      if (element.value() < range.least || element.value() > range.most) element = Dim();
    } else if (!holds_sizes || (!holds_fractions && !sizes.is_integer(element))) {
      element = Dim();
    }
  }
}

}  // namespace

int64_t ValueNode::integer(std::string_view name, int64_t otherwise) const {
  const Attribute* given = attribute(name);
  const auto* value = given != nullptr ? std::get_if<int64_t>(&given->value) : nullptr;
  return value != nullptr ? *value : otherwise;
}

std::optional<std::vector<int64_t>> ValueNode::integers(std::string_view name) const {
  const Attribute* given = attribute(name);
  const auto* value = given != nullptr ? std::get_if<std::vector<int64_t>>(&given->value) : nullptr;
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<std::vector<int64_t>> ValueNode::numbers(size_t i) {
  const auto known = has_input(i) ? values(i) : std::nullopt;
  if (!known) return std::nullopt;
  std::vector<int64_t> result;
  for (const Dim& element : known->elements) {
    if (!element.has_value()) return std::nullopt;
    result.push_back(element.value());
  }
  return result;
}

int64_t element_count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t dim : shape) {
    if (__builtin_mul_overflow(count, dim, &count)) return kMostElements + 1;
  }
  return count;
}

std::optional<std::vector<int64_t>> static_shape(const std::optional<DimList>& shape) {
  if (!shape) return std::nullopt;
  std::vector<int64_t> result;
  for (const Dim& dim : *shape) {
    if (!dim.is_static()) return std::nullopt;
    result.push_back(dim.value());
  }
  return element_count(result) <= kMostElements ? std::optional(result) : std::nullopt;
}

std::optional<size_t> axis_of(int64_t axis, size_t rank) {
  const auto dims = static_cast<int64_t>(rank);
  if (axis < -dims || axis >= dims) return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + dims : axis);
}

ValueFunction value_function(std::string_view op) {
  if (const ValueFunction function = elementwise_function(op)) return function;
  if (const ValueFunction function = selecting_function(op)) return function;
  return counting_function(op);
}

std::optional<KnownValues> propagated_values(ValueFunction function, ValueNode& node,
                                             SizeAlgebra& sizes) {
  std::optional<KnownValues> result = function(node, sizes);
  if (!result || element_count(result->shape) > kMostElements) return std::nullopt;
  forget_what_does_not_fit(node.result_type(), *result, sizes);
  const bool is_known = std::any_of(result->elements.begin(), result->elements.end(),
                                    [](const Dim& d) { return !(d == Dim()); });
  return is_known || result->elements.empty() ? result : std::nullopt;
}

}  // namespace graphsurgeon
