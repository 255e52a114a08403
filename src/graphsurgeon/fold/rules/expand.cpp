// Expand and Tile of single values (a splat of any size) and of small constants.

#include <cstring>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/sizes/broadcasting.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Expand", "Tile"};

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  const PayloadPtr data = input ? context.value(*input) : nullptr;
  const auto parameter = int_values(node, 1, context);
  if (!data || !parameter || !is_movable(data->dtype()) || context.opset() < 6) return false;
  for (const int64_t value : *parameter) {
    if (value < 0) return false;
  }
  const Shape& from = data->shape();
  Shape to;
  if (node.op() == "Tile") {
    if (parameter->size() != from.size()) return false;
    for (size_t d = 0; d < from.size(); ++d) {
      to.push_back(polygraphy::element_count(Shape{from[d], (*parameter)[d]}));
    }
  } else {
    const auto shape = broadcast_shape({from, *parameter});
    if (!shape) return false;
    to = *shape;
  }
  if (repeats_one_value(*data)) {
    return context.produce({repeated(repeated_value(*data, input->name()), to)});
  }
  const auto width = static_cast<size_t>(polygraphy::bit_width(data->dtype()) / 8);
  if (data->nbytes() > kSmallBytes ||
      polygraphy::element_count(to) > kSmallBytes / static_cast<int64_t>(width)) {
    return false;
  }
  const Array values = data->load(input->name()).contiguous_aligned();
  Array result = Array::uninitialized(data->dtype(), to);
  std::byte* out = result.mutable_data();
  const auto copy = [&](int64_t index) {
    std::memcpy(out, values.data() + static_cast<size_t>(index) * width, width);
    out += width;
  };
  if (node.op() == "Expand") {
    for (const int64_t index : broadcast_indices(from, to)) copy(index);
  } else {
    std::vector<int64_t> at(to.size(), 0);
    for (int64_t i = 0; i < result.size(); ++i) {
      int64_t index = 0;
      for (size_t d = 0; d < to.size(); ++d) index = index * from[d] + at[d] % from[d];
      copy(index);
      for (size_t d = to.size(); d-- > 0;) {
        if (++at[d] < to[d]) break;
        at[d] = 0;
      }
    }
  }
  return context.produce({owned_payload(std::move(result))});
}

}  // namespace

extern constinit const FoldRule fold_rule_expand = {
    .name = "expand",
    .summary = "Expand and Tile of single values and of small constants",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
