// Scales are positive; zero points of wide integers are 0.
#include <limits>

#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"QuantizeLinear", "DequantizeLinear", "QLinearConv",
                                     "QLinearMatMul"};

void add_constraints(ConstraintContext& node) {
  const ValueRange scale = ValueRange::between(1e-3, std::numeric_limits<double>::infinity());
  const std::string_view op = node.node().op();
  if (op == "QuantizeLinear" || op == "DequantizeLinear") {
    node.constrain(1, scale, "scale");
    if (node.has(2) && node.node().inputs()[2]->dtype() == DataType::kInt32) {
      node.constrain_to_range(2, 0, 0, "zero point");
    }
  } else if (op == "QLinearConv" || op == "QLinearMatMul") {
    for (const size_t i : {size_t{1}, size_t{4}, size_t{6}}) node.constrain(i, scale, "scale");
    // Runtimes take one zero point for int8 weights.
    if (op == "QLinearConv") node.constrain_to_range(5, 0, 0, "zero point of the weights");
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_quantization = {.ops = kOps,
                                                                        .add = add_constraints};

}  // namespace polygraphy
