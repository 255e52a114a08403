#include "polygraphy/diagnosis/locate/models/wrong_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include "base/arrays/convert.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/models/quantized/dequantized_weight.h"
#include "polygraphy/models/quantized/wrong_steps.h"

namespace polygraphy {
namespace {

using graphsurgeon::input_at;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

bool is_like(const Node& one, const Node& other) {
  const auto is_product = [](const Node& node) {
    return facts_of(node).layer == graphsurgeon::LayerKind::kProduct;
  };
  return one.op() == other.op() || (is_product(one) && is_product(other));
}

// Without perm, or with that of a matrix.
bool turns(const Node& node) {
  const auto* given = node.attribute("perm");
  const auto* order = given ? std::get_if<std::vector<int64_t>>(&given->value) : nullptr;
  return !given || (order && *order == std::vector<int64_t>{1, 0});
}

// An input of a node, in front of nodes that move or convert all of it.
struct Operand {
  const Tensor* tensor = nullptr;
  bool turned = false;  // a matrix lies the other way round than a MatMul reads it
};

Operand operand_of(const Node& node, size_t slot) {
  Operand operand{.tensor = input_at(node, slot)};
  operand.turned = is_turned(node, slot);
  while (operand.tensor && operand.tensor->producer()) {
    const Node& producer = *operand.tensor->producer();
    const bool turning = producer.op() == "Transpose" && turns(producer);
    if (!turning && producer.op() != "Cast" && producer.op() != "Identity") break;
    operand.turned ^= turning;
    operand.tensor = input_at(producer, 0);
  }
  return operand;
}

Shape shape_of_weight(const Node& node) {
  if (node.op() != "MatMulNBits") return input_at(node, 0)->payload()->shape();
  return {graphsurgeon::int_attribute(node, "K", 0), graphsurgeon::int_attribute(node, "N", 0)};
}

// The weight of `node` in this slot as `dequantizing` would make it; nullopt: it has another one.
std::optional<Array> original_weight(const Node& node, size_t slot, const Node& dequantizing,
                                     bool turned) {
  const Operand original = operand_of(node, slot);
  if (!original.tensor || !original.tensor->is_constant() ||
      !is_floating(original.tensor->payload()->dtype()))
    return std::nullopt;
  Array values = convert(original.tensor->values(), DataType::kFloat32);
  if (original.turned != turned && values.rank() == 2) {
    const std::vector<int64_t> order = {1, 0};
    values = values.transposed(order);
  }
  if (values.shape() != shape_of_weight(dequantizing)) return std::nullopt;
  return values.contiguous_aligned();
}

std::string text_of(const std::vector<WrongSteps>& wrong, const Node& dequantizing,
                    std::string_view original) {
  const WrongSteps& first = wrong.front();
  const size_t slot = dequantizing.op() == "MatMulNBits" ? 1 : 0;
  std::string text =
      fmt::format("the {} of {}channel {} of '{}' is {:.3g}, but {:.3g} by the float weight '{}'",
                  first.of_zero_point ? "zero point" : "scale",
                  first.block < 0 ? "" : fmt::format("block {} of ", first.block), first.channel,
                  input_at(dequantizing, slot)->name(), first.in_model, first.by_weight, original);
  const auto in_channel = std::ranges::count(wrong, first.channel, &WrongSteps::channel);
  if (in_channel > 1)
    text += fmt::format("; {} more of this channel {} wrong", in_channel - 1,
                        in_channel == 2 ? "is" : "are");
  const auto others = std::ssize(wrong) - in_channel;
  if (others > 0)
    text += fmt::format("; {} of other channels {} wrong", others, others == 1 ? "is" : "are");
  return text;
}

class Comparison {
 public:
  Comparison(const graphsurgeon::Model& original,
             const std::unordered_map<std::string, std::string>& partners)
      : tensors_(original.graph->tensor_map()), partners_(partners) {}

  // Empty: its weight is right, or not known.
  std::string fault_of(const Node& node) const {
    if (node.op() == "MatMulNBits") return fault_of(node, 1, node, false);
    const auto& facts = facts_of(node);
    const bool reads = facts.layout != graphsurgeon::WeightLayout::kNone || node.op() == "Gather";
    if (!reads || facts.computes_with_codes()) return {};
    for (const size_t slot : {size_t{0}, size_t{1}}) {
      const Operand operand = operand_of(node, slot);
      const Node* dequantizing = operand.tensor ? operand.tensor->producer() : nullptr;
      if (!dequantizing || dequantizing->op() != "DequantizeLinear") continue;
      if (std::string fault = fault_of(node, slot, *dequantizing, operand.turned); !fault.empty())
        return fault;
    }
    return {};
  }

 private:
  std::string fault_of(const Node& node, size_t slot, const Node& dequantizing, bool turned) const {
    if (!has_dequantized_weight(dequantizing)) return {};
    const Node* there = partner_of(node);
    if (!there) return {};
    const auto original = original_weight(*there, slot, dequantizing, turned);
    if (!original) return {};
    const std::vector<WrongSteps> wrong = wrong_steps(dequantizing, *original);
    return wrong.empty() ? std::string()
                         : text_of(wrong, dequantizing, operand_of(*there, slot).tensor->name());
  }

  // The node of the original that makes its result; one before an Add, where that has been fused.
  const Node* partner_of(const Node& node) const {
    const auto partner = partners_.find(std::string(node.outputs()[0]->name()));
    if (partner == partners_.end()) return nullptr;
    const Node* there = tensors_.at(partner->second)->producer();
    if (!there || is_like(*there, node)) return there;
    if (there->op() != "Add") return nullptr;
    for (const Tensor* term : there->inputs()) {
      const Node* before = term->producer();
      if (before && is_like(*before, node)) return before;
    }
    return nullptr;
  }

  const std::unordered_map<std::string_view, Tensor*> tensors_;  // of the original
  const std::unordered_map<std::string, std::string>& partners_;
};

}  // namespace

std::vector<WrongWeight> wrong_weights(
    const graphsurgeon::Model& original, const graphsurgeon::Model& quantized,
    const std::unordered_map<std::string, std::string>& partners) {
  const Comparison comparison(original, partners);
  std::vector<WrongWeight> wrong;
  const auto& nodes = quantized.graph->nodes();
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i]->outputs().empty()) continue;
    if (std::string fault = comparison.fault_of(*nodes[i]); !fault.empty())
      wrong.push_back({i, std::move(fault)});
  }
  return wrong;
}

}  // namespace polygraphy
