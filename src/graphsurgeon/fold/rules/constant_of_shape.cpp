// ConstantOfShape costs nothing until it is written: one value and a shape.

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"ConstantOfShape"};

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  const auto shape = int_values(node, 0, context);
  if (!shape || context.value(*input)->shape().size() != 1) return false;
  for (const int64_t dim : *shape) {
    if (dim < 0) return false;
  }
  Array value = Array::zeros(DataType::kFloat32, {});
  if (const Attribute* attribute = node.attribute("value")) {
    const auto* tensor = std::get_if<TensorValue>(&attribute->value);
    if (tensor == nullptr || !tensor->values || !is_movable(tensor->values->dtype()) ||
        tensor->values->size() != 1) {
      return false;
    }
    value = repeated_value(*tensor->values, "value");
  }
  return context.produce({repeated(value, *shape)});
}

}  // namespace

extern constinit const FoldRule fold_rule_constant_of_shape = {
    .name = "constant-of-shape",
    .summary = "one value in a constant shape",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
