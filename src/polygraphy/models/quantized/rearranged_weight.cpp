#include "polygraphy/models/quantized/rearranged_weight.h"

#include <algorithm>

#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/ir/tensor.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace polygraphy {
namespace {

using graphsurgeon::input_at;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

bool rearranges(const Node& node) {
  return node.outputs().size() == 1 && facts_of(node).movement <= graphsurgeon::Movement::kArranges;
}

bool is_one_constant(const Tensor* tensor) {
  return tensor && tensor->is_constant() && tensor->payload()->size() == 1;
}

}  // namespace

std::optional<RearrangedWeight> rearranged_weight(const Node& dequantize) {
  if (dequantize.op() != "DequantizeLinear" || !is_one_constant(input_at(dequantize, 1)))
    return std::nullopt;
  const Tensor* zero = input_at(dequantize, 2);
  if (zero && !is_one_constant(zero)) return std::nullopt;
  RearrangedWeight weight{.numbers = input_at(dequantize, 0)};
  while (weight.numbers && !weight.numbers->is_constant()) {
    const Node* producer = weight.numbers->producer();
    if (!producer || !rearranges(*producer)) return std::nullopt;
    weight.nodes.push_back(producer);
    weight.numbers = input_at(*producer, 0);
  }
  if (!weight.numbers || weight.nodes.empty()) return std::nullopt;
  std::ranges::reverse(weight.nodes);
  return weight;
}

}  // namespace polygraphy
