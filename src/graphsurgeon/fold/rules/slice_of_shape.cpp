// Slice of a shape of which the dimensions in the slice are known.

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/fold/partial_values.h"
#include "graphsurgeon/fold/slice_range.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Slice"};

bool apply_rule(Node& node, FoldContext& context) {
  const auto data = partial_input(node, 0, context);
  if (!data || data->rank != 1 || node.outputs().size() != 1) return false;
  const auto parameters = slice_parameters(node, 1, context);
  if (!parameters || parameters->size() != 1) return false;
  const SliceRange range =
      slice_range((*parameters)[0], static_cast<int64_t>(data->elements.size()));
  PartialValues result{1, {}};
  for (int64_t i = 0; i < range.count; ++i) {
    result.elements.push_back(data->elements[static_cast<size_t>(range.first + i * range.step)]);
  }
  return settle(node, result, context);
}

}  // namespace

extern const FoldRule fold_rule_slice_of_shape;
constinit const FoldRule fold_rule_slice_of_shape = {
    .name = "slice-of-shape",
    .summary = "known dimensions sliced from a partly known shape",
    .ops = kOps,
    .of_shapes = true,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
