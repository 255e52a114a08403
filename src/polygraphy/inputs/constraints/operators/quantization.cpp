// Scales are positive; zero points of wide integers are 0.
#include <limits>

#include "polygraphy/inputs/constraints/demand.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"QuantizeLinear", "DequantizeLinear", "QLinearConv",
                                     "QLinearMatMul"};

void state(DemandingNode& node) {
  const ValueDomain scale = ValueDomain::between(1e-3, std::numeric_limits<double>::infinity());
  const std::string_view op = node.node().op();
  if (op == "QuantizeLinear" || op == "DequantizeLinear") {
    node.demand(1, scale, "scale");
    if (node.has(2) && node.node().inputs()[2]->dtype() == DataType::kInt32) {
      node.demand_range(2, 0, 0, "zero point");
    }
  } else if (op == "QLinearConv" || op == "QLinearMatMul") {
    for (const size_t i : {size_t{1}, size_t{4}, size_t{6}}) node.demand(i, scale, "scale");
    // Engines take one zero point for int8 weights.
    if (op == "QLinearConv") node.demand_range(5, 0, 0, "zero point of the weights");
  }
}

}  // namespace

extern const Demand demand_quantization;
constinit const Demand demand_quantization = {.ops = kOps, .state = state};

}  // namespace polygraphy
