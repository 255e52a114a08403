// ScatterND on small constants.

#include <cstring>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"ScatterND"};

bool apply_rule(Node& node, FoldContext& context) {
  const auto data = small_value(node, 0, context);
  const auto indices = small_value(node, 1, context);
  const auto updates = small_value(node, 2, context);
  if (!data || !indices || !updates || indices->dtype() != DataType::kInt64 ||
      updates->dtype() != data->dtype() || indices->rank() == 0) {
    return false;
  }
  if (const Attribute* reduction = node.attribute("reduction")) {
    const auto* text = std::get_if<std::string_view>(&reduction->value);
    if (text == nullptr || *text != "none") return false;
  }
  // Each row of indices names an element, or a block, of the data.
  const auto depth = static_cast<size_t>(indices->shape().back());
  if (depth == 0 || depth > data->shape().size()) return false;
  Shape expected(indices->shape().begin(), indices->shape().end() - 1);
  const int64_t rows = polygraphy::element_count(expected);
  size_t block = static_cast<size_t>(polygraphy::bit_width(data->dtype()) / 8);
  for (size_t d = depth; d < data->shape().size(); ++d) {
    expected.push_back(data->shape()[d]);
    block *= static_cast<size_t>(data->shape()[d]);
  }
  if (updates->shape() != expected || block == 0) return false;
  Array result = data->clone();
  const auto at = indices->as<int64_t>();
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
    size_t to = 0;
    for (size_t d = 0; d < depth; ++d) {
      const int64_t dim = data->shape()[d];
      const int64_t index = at[row * depth + d];
      if (index < -dim || index >= dim) return false;
      to = to * static_cast<size_t>(dim) + static_cast<size_t>(index < 0 ? index + dim : index);
    }
    std::memcpy(result.mutable_data() + to * block, updates->data() + row * block, block);
  }
  return context.produce({owned_payload(std::move(result))});
}

}  // namespace

extern constinit const FoldRule fold_rule_scatter_nd = {
    .name = "scatter-nd",
    .summary = "small constants with some elements replaced",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
