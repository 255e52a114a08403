// Indices of ONNX Runtime's own operators.
#include "polygraphy/inputs/constraints/demand.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"EmbedLayerNormalization", "RotaryEmbedding",
                                     "GroupQueryAttention", "Attention", "MultiHeadAttention"};

void state(DemandingNode& node) {
  const std::string_view op = node.node().op();
  if (op == "EmbedLayerNormalization") {
    node.demand_indices(0, 2, 0);
    node.demand_indices(1, 4, 0);
    node.demand(7, ValueDomain::mask_of_rows(), "mask");
    node.demand_indices(8, 3, 0);
  } else if (op == "RotaryEmbedding") {
    node.demand_indices(1, 2, 0);
  } else if (op == "GroupQueryAttention") {
    // Lengths less one, and the longest of them, of what is there and what comes.
    const int64_t length = node.dim(0, 1).value_or(1) + node.dim(3, 2).value_or(0);
    node.demand_range(5, length - 1, length - 1, "lengths less one");
    node.demand_range(6, length, length, "total length");
  } else {
    const size_t mask = op == "Attention" ? 3 : 4;
    if (node.rank(mask) == 1) {
      node.demand_range(mask, 1, node.dim(0, 1).value_or(1), "lengths");
    } else {
      node.demand(mask, ValueDomain::mask_of_rows(), "mask");
    }
  }
}

}  // namespace

extern const Demand demand_contrib_indices;
constinit const Demand demand_contrib_indices = {
    .domain = "com.microsoft", .ops = kOps, .state = state};

}  // namespace polygraphy
