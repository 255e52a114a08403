// ReduceProd, ReduceSum, ReduceMax, ReduceMin of small integers, and maxima and minima of splats.

#include <algorithm>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/sizes/broadcasting.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum"};

template <typename T>
void reduce(std::string_view op, const Array& values, const Shape& kept, Array& result) {
  auto* out = reinterpret_cast<T*>(result.mutable_data());
  std::vector<bool> seen(static_cast<size_t>(result.size()), false);
  const auto in = values.as<T>();
  // `kept` is the input's shape with ones where it is reduced: each element goes where it repeats.
  const auto to = broadcast_indices(kept, values.shape());
  for (size_t i = 0; i < in.size(); ++i) {
    const auto k = static_cast<size_t>(to[i]);
    using U = std::make_unsigned_t<T>;
    if (!seen[k]) {
      out[k] = in[i];
    } else if (op == "ReduceMax") {
      out[k] = std::max(out[k], in[i]);
    } else if (op == "ReduceMin") {
      out[k] = std::min(out[k], in[i]);
    } else if (op == "ReduceProd") {
      out[k] = static_cast<T>(static_cast<U>(out[k]) * static_cast<U>(in[i]));
    } else {
      out[k] = static_cast<T>(static_cast<U>(out[k]) + static_cast<U>(in[i]));
    }
    seen[k] = true;
  }
}

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  const PayloadPtr data = input ? context.value(*input) : nullptr;
  if (!data || !is_movable(data->dtype()) || data->size() == 0) return false;
  bool missing = false;
  const auto axes = int_parameter(node, "axes", 1, context, missing);
  if (!axes && !missing) return false;
  const Shape& from = data->shape();
  std::vector<bool> reduced(from.size(), false);
  if (axes && !axes->empty()) {
    for (const int64_t value : *axes) {
      const auto axis = axis_of(value, from.size());
      if (!axis) return false;
      reduced[*axis] = true;
    }
  } else if (int_attribute(node, "noop_with_empty_axes", 0) == 0) {
    reduced.assign(from.size(), true);
  }
  const bool keep = int_attribute(node, "keepdims", 1) != 0;
  Shape kept = from;
  Shape shape;
  for (size_t d = 0; d < from.size(); ++d) {
    if (reduced[d]) kept[d] = 1;
    if (keep || !reduced[d]) shape.push_back(kept[d]);
  }
  const std::string_view op = node.op();
  if (repeats_one_value(*data) && (op == "ReduceMax" || op == "ReduceMin" || data->size() == 1)) {
    return context.produce({repeated(repeated_value(*data, input->name()), shape)});
  }
  if (data->nbytes() > kSmallBytes) return false;
  const Array values = data->load(input->name()).contiguous_aligned();
  Array result = Array::zeros(data->dtype(), kept);
  if (data->dtype() == DataType::kInt64) {
    reduce<int64_t>(op, values, kept, result);
  } else if (data->dtype() == DataType::kInt32) {
    reduce<int32_t>(op, values, kept, result);
  } else {
    return false;  // the order in which fractions are added up is the runtime's
  }
  return context.produce({owned_payload(result.reshaped(shape))});
}

}  // namespace

extern constinit const FoldRule fold_rule_reduce = {
    .name = "reduce",
    .summary = "sums, products, maxima and minima over axes of small integer constants",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
