// Transpose of small constants and of splats.

#include <algorithm>
#include <numeric>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Transpose"};

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  const PayloadPtr data = input ? context.value(*input) : nullptr;
  if (!data || !is_movable(data->dtype())) return false;
  std::vector<int64_t> perm(data->shape().size());
  std::iota(perm.rbegin(), perm.rend(), 0);
  if (const auto given = ints_attribute(node, "perm")) {
    auto sorted = *given;
    std::sort(sorted.begin(), sorted.end());
    std::iota(perm.begin(), perm.end(), 0);
    if (sorted != perm) return false;
    perm = *given;
  }
  Shape shape;
  for (const int64_t axis : perm) shape.push_back(data->shape()[static_cast<size_t>(axis)]);
  if (repeats_one_value(*data)) {
    return context.produce({repeated(repeated_value(*data, input->name()), shape)});
  }
  if (data->nbytes() > kSmallBytes) return false;
  const Array values = data->load(input->name()).contiguous_aligned();
  return context.produce({owned_payload(values.transposed(perm).contiguous_aligned())});
}

}  // namespace

extern constinit const FoldRule fold_rule_transpose = {
    .name = "transpose",
    .summary = "small constants with their axes in another order",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
