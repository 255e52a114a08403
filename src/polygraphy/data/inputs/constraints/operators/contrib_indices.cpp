// Indices of ONNX Runtime's own operators.
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"EmbedLayerNormalization", "RotaryEmbedding",
                                     "GroupQueryAttention", "Attention", "MultiHeadAttention"};

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  if (op == "EmbedLayerNormalization") {
    node.constrain_to_indices(0, 2, 0);
    node.constrain_to_indices(1, 4, 0);
    node.constrain(7, ValueRange::mask_of_rows(), "mask");
    node.constrain_to_indices(8, 3, 0);
  } else if (op == "RotaryEmbedding") {
    node.constrain_to_indices(1, 2, 0);
  } else if (op == "GroupQueryAttention") {
    // Lengths minus one, and the longest of them, of the past and the new sequence.
    const int64_t length = node.dim(0, 1).value_or(1) + node.dim(3, 2).value_or(0);
    node.constrain_to_range(5, length - 1, length - 1, "lengths less one");
    node.constrain_to_range(6, length, length, "total length");
  } else {
    const size_t mask = op == "Attention" ? 3 : 4;
    if (node.rank(mask) == 1) {
      node.constrain_to_range(mask, 1, node.dim(0, 1).value_or(1), "lengths");
    } else {
      node.constrain(mask, ValueRange::mask_of_rows(), "mask");
    }
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_contrib_indices = {
    .domain = "com.microsoft", .ops = kOps, .add = add_constraints};

}  // namespace polygraphy
