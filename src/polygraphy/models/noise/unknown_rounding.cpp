#include "polygraphy/models/noise/unknown_rounding.h"

#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/models/quantized/dequantized_weight.h"
#include "polygraphy/models/quantized/rearranged_weight.h"

namespace polygraphy {
namespace {

using graphsurgeon::input_at;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

// Whether a node of the model quantises these numbers: it is known, or to blame itself.
bool are_quantized_by_node(const Tensor* tensor) {
  while (tensor && !tensor->is_constant()) {
    const Node* producer = tensor->producer();
    if (!producer) return false;
    const auto& facts = facts_of(*producer);
    const bool quantizes = facts.movement == graphsurgeon::Movement::kQuantizes;
    if (facts.computes_with_codes() || (quantizes && producer->op() != "DequantizeLinear"))
      return true;
    if (!moves_numbers(*producer) || producer->op() == "Constant") return false;
    tensor = input_at(*producer, 0);
  }
  return false;
}

// Activations have one scale, and steps of one size.
bool has_known_steps(const Node& dequantize) {
  const Tensor *x = input_at(dequantize, 0), *scale = input_at(dequantize, 1);
  const bool steps = x && (x->dtype() == DataType::kUndefined || is_integral(x->dtype()));
  return steps && scale && (!scale->is_constant() || element_count(scale->payload()->shape()) == 1);
}

}  // namespace

bool has_unknown_rounding(const Node& node) {
  if (node.op() == "MatMulNBits") return !has_dequantized_weight(node);
  if (node.op() == "DequantizeLinear") {
    return !has_dequantized_weight(node) && !rearranged_weight(node) &&
           !(are_quantized_by_node(input_at(node, 0)) && has_known_steps(node));
  }
  if (node.op() == "MatMulInteger") {
    return !are_quantized_by_node(input_at(node, 0)) ||
           !(has_dequantized_weight(node) || are_quantized_by_node(input_at(node, 1)));
  }
  return facts_of(node).computes_with_codes();
}

}  // namespace polygraphy
