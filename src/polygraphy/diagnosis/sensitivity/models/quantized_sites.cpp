#include "polygraphy/diagnosis/sensitivity/models/quantized_sites.h"

#include <optional>
#include <utility>

#include "base/arrays/convert.h"
#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"
#include "polygraphy/diagnosis/sensitivity/models/expert_weights.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"
#include "polygraphy/models/quantized/dequantized_weight.h"

namespace polygraphy {
namespace {

using graphsurgeon::Node;
using graphsurgeon::Tensor;

// nullopt: shapes that do not belong together.
std::optional<QuantizedLayer> layer_of(const Tensor* values, const Tensor* scale,
                                       const Tensor* zero, int64_t axis, int64_t block) {
  if (!values || !scale) return std::nullopt;
  QuantizedWeight weight{.values = values->values(),
                         .scales = convert(scale->values(), DataType::kFloat32),
                         .zero_points = zero ? zero->values() : Array(),
                         .axis = axis,
                         .block = block};
  const auto rank = weight.values.rank();
  if (weight.axis < 0) weight.axis += rank;
  if (weight.scales.size() == 1) {
    weight.scales = weight.scales.contiguous_aligned().reshaped({});
    weight.block = 0;
    weight.axis = 0;
  } else {
    if (weight.axis < 0 || weight.axis >= rank) return std::nullopt;
    const int64_t length = weight.values.shape()[static_cast<size_t>(weight.axis)];
    Shape expected = {length};
    if (weight.block > 0) {
      expected = weight.values.shape();
      expected[static_cast<size_t>(weight.axis)] = (length + weight.block - 1) / weight.block;
    }
    if (weight.scales.shape() != expected) return std::nullopt;
  }
  if (!weight.zero_points.empty()) {
    if (weight.zero_points.size() != weight.scales.size()) return std::nullopt;
    weight.zero_points = weight.zero_points.contiguous_aligned().reshaped(weight.scales.shape());
  }
  return QuantizedLayer{.node = {}, .weight = weight.dequantized(), .bytes = weight.bytes()};
}

// A Transpose of a matrix, if its input is one: axes are reversed without "perm".
bool turns_matrix(const Node& node) {
  if (node.op() != "Transpose") return false;
  const auto* given = node.attribute("perm");
  const auto* order = given ? std::get_if<std::vector<int64_t>>(&given->value) : nullptr;
  return !given || (order && *order == std::vector<int64_t>{1, 0});
}

// The weight that a node dequantises, with the bytes of its constants.
std::optional<QuantizedLayer> stored_layer(const Node& node) {
  auto weight = dequantized_weight(node);
  if (!weight) return std::nullopt;
  int64_t bytes = 0;
  for (const Tensor* input : node.inputs())
    bytes += input->is_constant() ? input->payload()->nbytes() : 0;
  return QuantizedLayer{.node = {}, .weight = std::move(weight->values), .bytes = bytes};
}

// The DequantizeLinear of a constant behind which a weight lies; none: another tensor.
DequantizedTensor dequantized_weight_of(Tensor* weight) {
  if (!weight || weight->is_constant()) return {};
  const DequantizedTensor found = dequantized_tensor(weight);
  if (!found.dequantizing || !constant_at(*found.dequantizing, 0)) return {};
  return found;
}

std::optional<QuantizedLayer> of_dequantized(Node& node) {
  for (const size_t slot : {size_t{1}, size_t{0}}) {
    const DequantizedTensor found = dequantized_weight_of(input_at(node, slot));
    if (!found.dequantizing) continue;
    auto layer = stored_layer(*found.dequantizing);
    if (!layer) return layer;
    if (found.transposed) {
      if (layer->weight.rank() != 2) return std::nullopt;
      const std::vector<int64_t> order = {1, 0};
      layer->weight = layer->weight.transposed(order).contiguous_aligned();
    }
    layer->reduced_axis = reduced_axis(node, slot, layer->weight.rank());
    const Tensor* other = input_at(node, 1 - slot);
    const Node* before = other ? other->producer() : nullptr;
    layer->rounds_input = before && before->op() == "DequantizeLinear";
    return layer;
  }
  return std::nullopt;
}

std::optional<QuantizedLayer> quantized_layer(Node& node) {
  const auto& facts = facts_of(node);
  const bool lies_plainly = facts.layout != graphsurgeon::WeightLayout::kNone;
  if (!facts.computes_with_codes()) return lies_plainly ? of_dequantized(node) : std::nullopt;
  if (!lies_plainly) return stored_layer(node);
  const auto constant = [&](int slot) {
    return slot < 0 ? nullptr : constant_at(node, static_cast<size_t>(slot));
  };
  const Tensor* values = constant(facts.weight);
  if (!values) return std::nullopt;
  const auto rank = static_cast<int64_t>(values->payload()->shape().size());
  const auto weight_slot = static_cast<size_t>(facts.weight);
  const bool product = facts.layer == graphsurgeon::LayerKind::kProduct;
  const int64_t channel = !product ? 0 : is_turned(node, weight_slot) ? rank - 2 : rank - 1;
  auto layer = layer_of(
      values, facts.sums_codes() ? scaled_result(node).scale : constant(facts.codes.weight_scale),
      constant(facts.codes.weight_zero), channel, 0);
  if (!layer) return layer;
  layer->rounds_input = true;
  layer->reduced_axis = reduced_axis(node, weight_slot, layer->weight.rank());
  return layer;
}

// The constant with its quantised values, in front of the node or of its DequantizeLinear.
std::string stored_by(const Node& node) {
  for (Tensor* input : node.inputs()) {
    const Node* producer = dequantized_tensor(input).dequantizing;
    const Tensor* tensor = producer ? producer->inputs()[0] : input;
    if (tensor->is_constant() && !is_floating(tensor->dtype()) && tensor->payload()->size() > 1)
      return std::string(tensor->name());
  }
  return {};
}

// Of a MoE behind DequantizeLinear, or of a QMoE.
std::vector<QuantizedLayer> quantized_parts(Node& node) {
  std::vector<QuantizedLayer> layers;
  for (size_t part = 1; part <= kExpertParts; ++part) {
    std::optional<QuantizedLayer> layer;
    const Tensor* stored = nullptr;
    if (has_experts(node)) {
      const Node* producer = dequantized_weight_of(input_at(node, expert_slot(part))).dequantizing;
      if (producer) layer = stored_layer(*producer);
      stored = producer ? constant_at(*producer, 0) : nullptr;
    } else if (const auto weight = quantized_experts(node, part)) {
      layer = QuantizedLayer{.node = {}, .weight = weight->dequantized(), .bytes = weight->bytes()};
      stored = stored_experts(node, part);
    }
    if (!layer) continue;
    layer->part = part;
    layer->stored = stored->name();
    layers.push_back(std::move(*layer));
  }
  return layers;
}

std::vector<QuantizedLayer> quantized_layers_of(Node& node) {
  if (has_experts(node) || has_quantized_experts(node)) return quantized_parts(node);
  std::vector<QuantizedLayer> layers;
  if (auto layer = quantized_layer(node)) {
    layer->stored = stored_by(node);
    layers.push_back(std::move(*layer));
  }
  return layers;
}

}  // namespace

DequantizedTensor dequantized_tensor(Tensor* tensor) {
  DequantizedTensor found;
  for (Node* at = tensor->producer(); at; at = at->inputs()[0]->producer()) {
    if (at->op() == "DequantizeLinear") {
      found.dequantizing = at;
      return found;
    }
    found.direct = false;
    if (turns_matrix(*at)) {
      found.transposed = !found.transposed;
    } else if (at->op() != "Cast") {
      break;
    }
  }
  return {};
}

ScaledResult scaled_result(Node& node) {
  Node* at = &node;
  for (int steps = 0; steps < 4 && at; ++steps) {
    Tensor* result = at->outputs().empty() ? nullptr : at->outputs()[0];
    if (!result || result->consumers().size() != 1) return {};
    Node* next = result->consumers().front();
    if (next->op() == "Mul") {
      for (const Tensor* factor : next->inputs()) {
        if (factor == result) continue;
        if (factor->is_constant()) return {next, factor};
        const Node* product = factor->producer();
        if (!product || product->op() != "Mul") return {};
        for (const Tensor* scale : product->inputs()) {
          if (scale->is_constant()) return {next, scale};
        }
      }
      return {};
    }
    if (next->op() != "Cast" && next->op() != "Add") return {};
    at = next;
  }
  return {};
}

std::vector<QuantizedLayer> quantized_layers(const graphsurgeon::Model& model) {
  std::vector<QuantizedLayer> layers;
  const auto& nodes = model.graph->nodes();
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (QuantizedLayer& layer : quantized_layers_of(*nodes[i])) {
      layer.position = i;
      layer.node = nodes[i]->name();
      layers.push_back(std::move(layer));
    }
  }
  return layers;
}

}  // namespace polygraphy
