// Gather out of a shape of which the gathered dimensions are known.

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/fold/partial_values.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Gather"};

bool apply_rule(Node& node, FoldContext& context) {
  const auto data = partial_input(node, 0, context);
  const auto indices = int_values(node, 1, context);
  if (!data || data->rank != 1 || !indices || node.outputs().size() != 1) return false;
  if (!checked_axis(int_attribute(node, "axis", 0), 1)) return false;
  PartialValues result{context.value(*node.inputs()[1])->shape().size(), {}};
  const auto count = static_cast<int64_t>(data->elements.size());
  for (const int64_t index : *indices) {
    if (index < -count || index >= count) return false;
    result.elements.push_back(
        data->elements[static_cast<size_t>(index < 0 ? index + count : index)]);
  }
  return settle(node, result, context);
}

}  // namespace

extern const FoldRule fold_rule_gather_of_shape;
constinit const FoldRule fold_rule_gather_of_shape = {
    .name = "gather-of-shape",
    .summary = "known dimensions gathered from a partly known shape",
    .ops = kOps,
    .of_shapes = true,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
