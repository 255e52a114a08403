#include "graphsurgeon/fold/integer_bounds.h"

#include <algorithm>
#include <limits>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/domain.h"

namespace graphsurgeon {

namespace {

constexpr int kMaxDepth = 6;
constexpr IntegerBounds kAnything{std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max()};

using Bounds = std::optional<IntegerBounds>;

Bounds of_values(const Tensor& tensor, FoldContext& context) {
  std::vector<int64_t> numbers;
  if (const PayloadPtr value = context.value(tensor)) {
    if (!polygraphy::is_integral(value->dtype()) || !is_movable(value->dtype()) ||
        value->nbytes() > kSmallBytes) {
      return std::nullopt;
    }
    const Array array = value->load(tensor.name());
    for (int64_t i = 0; i < array.size(); ++i) numbers.push_back(array.get_int64(i));
  } else if (const DimList* known = context.elements(tensor)) {
    for (const Dim& d : *known) {
      if (!d.has_value()) return std::nullopt;
      numbers.push_back(d.value());
    }
  }
  if (numbers.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  return IntegerBounds{*low, *high};
}

Bounds of_type(DataType type) {
  switch (type) {
    case DataType::kBool:
      return IntegerBounds{0, 1};
    case DataType::kInt8:
      return IntegerBounds{-128, 127};
    case DataType::kUint8:
      return IntegerBounds{0, 255};
    case DataType::kInt16:
      return IntegerBounds{-32768, 32767};
    case DataType::kUint16:
      return IntegerBounds{0, 65535};
    default:
      return std::nullopt;
  }
}

Bounds bounds_of(const Tensor& tensor, FoldContext& context, int depth);

// Of the positions along an axis.
Bounds of_axis(const Node& node, FoldContext&) {
  const Tensor* input = input_at(node, 0);
  const auto shape = input ? input->shape() : std::nullopt;
  if (!shape) return std::nullopt;
  const auto axis = axis_of(int_attribute(node, "axis", 0), shape->size());
  if (!axis || !(*shape)[*axis].is_static()) return std::nullopt;
  return IntegerBounds{0, std::max<int64_t>((*shape)[*axis].value() - 1, 0)};
}

Bounds of_node(const Node& node, FoldContext& context, int depth) {
  const std::string_view op = node.op();
  const auto input = [&](size_t i) -> Bounds {
    const Tensor* tensor = input_at(node, i);
    return tensor ? bounds_of(*tensor, context, depth + 1) : std::nullopt;
  };
  if (op == "Cast") {
    const Tensor* from = input_at(node, 0);
    if (from == nullptr) return std::nullopt;
    const Bounds bounds = of_type(from->dtype());
    if (bounds || !polygraphy::is_integral(from->dtype())) return bounds;
    const Bounds inner = input(0);
    const bool fits = inner && inner->low >= std::numeric_limits<int32_t>::min() &&
                      inner->high <= std::numeric_limits<int32_t>::max();
    return fits ? inner : std::nullopt;
  }
  if (op == "ArgMax" || op == "ArgMin") return of_axis(node, context);
  if (op == "Gather" || op == "Slice" || op == "Squeeze" || op == "Unsqueeze" || op == "Reshape" ||
      op == "Identity" || op == "Flatten" || op == "Transpose" || op == "Expand" || op == "Tile") {
    return input(0);
  }
  if (op == "Mod" && int_attribute(node, "fmod", 0) == 0) {
    const Bounds divisor = input(1);
    if (!divisor || divisor->low <= 0) return std::nullopt;
    return IntegerBounds{0, divisor->high - 1};
  }
  if (op == "Add" || op == "Sub" || op == "Mul") {
    const Bounds a = input(0);
    const Bounds b = input(1);
    if (!a || !b) return std::nullopt;
    return combined_bounds(op, *a, *b);
  }
  if (op == "Concat" || op == "Min" || op == "Max") {
    Bounds all;
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      const Bounds one = input(i);
      if (!one) return std::nullopt;
      all = all ? IntegerBounds{std::min(all->low, one->low), std::max(all->high, one->high)} : one;
    }
    return all;
  }
  return std::nullopt;
}

Bounds bounds_of(const Tensor& tensor, FoldContext& context, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  if (const Bounds bounds = of_values(tensor, context)) return bounds;
  if (const Bounds bounds = of_type(tensor.dtype())) return bounds;
  const Node* producer = tensor.producer();
  if (producer == nullptr || !is_default_domain(producer->domain())) {
    return std::nullopt;
  }
  return of_node(*producer, context, depth);
}

}  // namespace

std::optional<IntegerBounds> integer_bounds(const Tensor& tensor, FoldContext& context) {
  return bounds_of(tensor, context, 0);
}

IntegerBounds combined_bounds(std::string_view op, const IntegerBounds& a, const IntegerBounds& b) {
  int64_t corners[4] = {};
  bool overflows = false;
  int k = 0;
  for (const int64_t x : {a.low, a.high}) {
    for (const int64_t y : {b.low, b.high}) {
      int64_t& out = corners[k++];
      overflows |= op == "Add"   ? __builtin_add_overflow(x, y, &out)
                   : op == "Sub" ? __builtin_sub_overflow(x, y, &out)
                                 : __builtin_mul_overflow(x, y, &out);
    }
  }
  if (overflows) return kAnything;
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

}  // namespace graphsurgeon
