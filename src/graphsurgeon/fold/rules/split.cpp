// Split of small constants and of splats.

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Split"};

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  const PayloadPtr data = input ? context.value(*input) : nullptr;
  if (!data || !is_movable(data->dtype()) || context.opset() < 2) return false;
  const Shape& from = data->shape();
  const auto axis = axis_of(int_attribute(node, "axis", 0), from.size());
  if (!axis) return false;
  bool missing = false;
  auto sizes = int_parameter(node, "split", 1, context, missing);
  const auto count = static_cast<int64_t>(node.outputs().size());
  if (missing && count > 0) {
    // Equal parts; the last one is smaller where they do not come out even (version 18).
    const int64_t dim = from[*axis];
    if (int_attribute(node, "num_outputs", count) != count) return false;
    if (dim % count != 0 && context.opset() < 18) return false;
    const int64_t part = (dim + count - 1) / count;
    sizes.emplace(static_cast<size_t>(count), part);
    sizes->back() = dim - part * (count - 1);
  }
  if (!sizes || static_cast<int64_t>(sizes->size()) != count) return false;
  int64_t sum = 0;
  for (const int64_t size : *sizes) {
    if (size < 0 || size > from[*axis] - sum) return false;
    sum += size;
  }
  if (sum != from[*axis]) return false;

  const bool is_repeated = repeats_one_value(*data) && data->size() > 0;
  if (!is_repeated && data->nbytes() > kSmallBytes) return false;
  const Array values = is_repeated ? repeated_value(*data, input->name())
                                   : data->load(input->name()).contiguous_aligned();
  Shape strides(from.size());
  int64_t stride = polygraphy::bit_width(data->dtype()) / 8;
  for (size_t d = from.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= from[d];
  }
  std::vector<PayloadPtr> results;
  int64_t start = 0;
  for (size_t i = 0; i < sizes->size(); ++i) {
    Shape shape = from;
    shape[*axis] = (*sizes)[i];
    if (node.outputs()[i]->is_empty()) {
      results.emplace_back();
    } else if (is_repeated) {
      results.push_back(repeated(values, shape));
    } else if (polygraphy::element_count(shape) == 0) {
      results.push_back(owned_payload(Array::zeros(data->dtype(), shape)));
    } else {
      const Array part =
          Array::strided(data->dtype(), shape, strides, values.data() + start * strides[*axis],
                         std::make_shared<Array>(values));
      results.push_back(owned_payload(part.contiguous_aligned()));
    }
    start += (*sizes)[i];
  }
  return context.produce(std::move(results));
}

}  // namespace

extern constinit const FoldRule fold_rule_split = {
    .name = "split",
    .summary = "small constants in parts",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
