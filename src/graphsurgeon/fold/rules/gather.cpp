// Gather from small constants and from splats.

#include <cstring>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Gather"};

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  const PayloadPtr data = input ? context.value(*input) : nullptr;
  const auto indices = small_value(node, 1, context);
  if (!data || !indices || !is_movable(data->dtype()) ||
      (indices->dtype() != DataType::kInt64 && indices->dtype() != DataType::kInt32)) {
    return false;
  }
  const auto axis = axis_of(int_attribute(node, "axis", 0), data->shape().size());
  if (!axis) return false;
  const int64_t limit = data->shape()[*axis];
  Shape shape(data->shape().begin(), data->shape().begin() + static_cast<ptrdiff_t>(*axis));
  shape.insert(shape.end(), indices->shape().begin(), indices->shape().end());
  shape.insert(shape.end(), data->shape().begin() + static_cast<ptrdiff_t>(*axis) + 1,
               data->shape().end());
  std::vector<size_t> at;
  for (int64_t i = 0; i < indices->size(); ++i) {
    const int64_t index = indices->get_int64(i);
    if (index < -limit || index >= limit) return false;
    at.push_back(static_cast<size_t>(index < 0 ? index + limit : index));
  }
  if (repeats_one_value(*data)) {
    return context.produce({repeated(repeated_value(*data, input->name()), shape)});
  }
  const int64_t width = polygraphy::bit_width(data->dtype()) / 8;
  if (data->nbytes() > kSmallBytes || polygraphy::element_count(shape) > kSmallBytes / width) {
    return false;
  }
  const Array values = data->load(input->name()).contiguous_aligned();
  Array result = Array::uninitialized(data->dtype(), shape);
  size_t blocks = 1;
  for (size_t d = 0; d < *axis; ++d) blocks *= static_cast<size_t>(data->shape()[d]);
  size_t bytes = static_cast<size_t>(width);  // of one index
  for (size_t d = *axis + 1; d < data->shape().size(); ++d) {
    bytes *= static_cast<size_t>(data->shape()[d]);
  }
  std::byte* out = result.mutable_data();
  for (size_t block = 0; block < blocks && bytes > 0; ++block) {
    for (const size_t index : at) {
      std::memcpy(out, values.data() + (block * static_cast<size_t>(limit) + index) * bytes, bytes);
      out += bytes;
    }
  }
  return context.produce({owned_payload(std::move(result))});
}

}  // namespace

extern constinit const FoldRule fold_rule_gather = {
    .name = "gather",
    .summary = "elements of small constants",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
