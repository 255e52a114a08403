// Arithmetic on shapes with open dimensions: known elements are propagated, and the node is folded
// where they decide the result (Mul by zero, Where on a known condition, a dimension compared with
// -1 …).

#include "graphsurgeon/fold/partial_values.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Abs",
                                     "Add",
                                     "And",
                                     "Cast",
                                     "Ceil",
                                     "Clip",
                                     "Concat",
                                     "Div",
                                     "Equal",
                                     "Expand",
                                     "Floor",
                                     "Greater",
                                     "GreaterOrEqual",
                                     "Identity",
                                     "Less",
                                     "LessOrEqual",
                                     "Max",
                                     "Min",
                                     "Mod",
                                     "Mul",
                                     "Neg",
                                     "Not",
                                     "Or",
                                     "ReduceMax",
                                     "ReduceMin",
                                     "ReduceProd",
                                     "ReduceSum",
                                     "Reshape",
                                     "Squeeze",
                                     "Sub",
                                     "Transpose",
                                     "Unsqueeze",
                                     "Where"};

bool apply_rule(Node& node, FoldContext& context) {
  return context.opset() >= 7 && fold_partial_values(node, context);
}

}  // namespace

extern constinit const FoldRule fold_rule_partial_shape = {
    .name = "partial-shape",
    .summary = "arithmetic on partly known shapes, if the known dimensions determine the result",
    .ops = kOps,
    .of_shapes = true,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
