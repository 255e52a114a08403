#include "polygraphy/diagnosis/sensitivity/models/restored_layers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/arrays/convert.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/diagnosis/sensitivity/models/expert_weights.h"
#include "polygraphy/diagnosis/sensitivity/models/quantized_sites.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::OperatorFacts;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

Tensor* input_of(const Node& node, int slot) {
  return slot < 0 ? nullptr : graphsurgeon::input_at(node, static_cast<size_t>(slot));
}

// The float tensor that was quantised to this one; null: another node made it.
Tensor* before_rounding(Tensor* tensor) {
  Node* producer = tensor->producer();
  if (producer && (producer->op() == "QuantizeLinear" || producer->op() == "DynamicQuantizeLinear"))
    return producer->inputs()[0];
  return nullptr;
}

class Restoring {
 public:
  Restoring(const Model& reference, const Model& quantized)
      : reference_(reference), model_(graphsurgeon::copy(quantized)) {
    for (const auto& [name, tensor] : graph().tensor_map()) names_.emplace(name);
    tensors_ = reference.graph->tensor_map();
    nodes_.assign(graph().nodes().begin(), graph().nodes().end());
  }

  // False: the form of a node is not known.
  bool restore(const Site& site, size_t position) {
    Node& node = *nodes_[position];
    const Tensor& original = *tensors_.at(site.weight);
    if (has_quantized_experts(node) && !restore_experts(node, original.dtype())) return false;
    if (has_experts(node)) {
      node.inputs().set(expert_slot(site.part), constant(original));
      return true;
    }
    bias_ = bias_of(site);
    if (facts_of(node).computes_with_codes())
      return restore_form(node, facts_of(node), original, site.transposed);
    return restore_dequantized(node, original, site.transposed);
  }

  Model finish() {
    graphsurgeon::cleanup(model_);
    graphsurgeon::toposort(model_);
    return std::move(model_);
  }

 private:
  Graph& graph() { return *model_.graph; }

  std::string fresh(std::string name) {
    while (!names_.insert(name).second) name += "'";
    return name;
  }
  TensorRef variable(const Tensor& near) {
    const DataType type = is_floating(near.dtype()) ? near.dtype() : DataType::kFloat32;
    return graph().variable(fresh(std::string(near.name()) + "_float"), type);
  }
  // One for all nodes that read it.
  TensorRef constant(const Tensor& original, bool transposed = false) {
    TensorRef& made = constants_[{std::string(original.name()), transposed}];
    if (made) return made;
    const std::vector<int64_t> order = {1, 0};
    const Array values = original.values();
    made = graph().constant(fresh(std::string(original.name())),
                            transposed ? values.transposed(order).contiguous_aligned() : values);
    graph().mutable_initializers().push_back(made);
    return made;
  }

  // Null: the reference's layer has none.
  const Tensor* bias_of(const Site& site) const {
    const Node& node = *reference_.graph->nodes()[site.nodes.front().position];
    const Tensor* bias = input_of(node, facts_of(node).bias);
    return bias && bias->is_constant() ? bias : nullptr;
  }

  bool restore_dequantized(Node& node, const Tensor& weight, bool transposed) {
    bool found = false;
    for (size_t slot = 0; slot < node.inputs().size(); ++slot) {
      Tensor* input = node.inputs()[slot];
      const DequantizedTensor dequantized = dequantized_tensor(input);
      if (!dequantized.dequantizing) continue;
      Tensor* stored = dequantized.dequantizing->inputs()[0];
      if (std::cmp_equal(slot, facts_of(node).bias)) {
        if (bias_ && stored->is_constant()) node.inputs().set(slot, constant(*bias_));
      } else if (stored->is_constant()) {
        if (slot > 1) continue;  // the offsets of a DeformConv
        node.inputs().set(slot, constant(weight, transposed));
        found = true;
      } else if (Tensor* before = dequantized.direct ? before_rounding(stored) : nullptr) {
        node.inputs().set(slot, TensorRef(before));
      }
    }
    return found;
  }

  // Each part has a weight behind DequantizeLinear, until its own site is restored.
  bool restore_experts(Node& node, DataType type) {
    TensorRef weights[kExpertParts];
    for (size_t part = 1; part <= kExpertParts; ++part) {
      if (const auto weight = quantized_experts(node, part))
        weights[part - 1] = dequantize(*weight, *stored_experts(node, part), type);
    }
    return becomes_moe(node, weights);
  }

  TensorRef dequantize(const QuantizedWeight& weight, const Tensor& stored, DataType type) {
    const std::string name(stored.name());
    const auto constant_of = [&](const char* what, Array values) {
      TensorRef made = graph().constant(fresh(name + what), std::move(values));
      graph().mutable_initializers().push_back(made);
      return made;
    };
    if (is_packed(weight.values.dtype()))
      model_.ir_version = std::max<int64_t>(model_.ir_version, 10);
    const TensorRef made = graph().variable(fresh(name + "_dequantized"), type);
    const std::string node = fresh(name + "_DequantizeLinear");
    graphsurgeon::Layer layer{.op = "DequantizeLinear",
                              .attrs = {{"axis", weight.axis}, {"block_size", weight.block}},
                              .name = node};
    layer.inputs = {constant_of("_values", weight.values),
                    constant_of("_scales", convert(weight.scales, type)),
                    constant_of("_zero_points", weight.zero_points)};
    layer.outputs = {made};
    graph().layer(layer);
    return made;
  }

  bool restore_form(Node& node, const OperatorFacts& form, const Tensor& weight, bool transposed) {
    Tensor* bias = input_of(node, form.bias);
    // A bias of integers is that of the reference; one of floats stays as it is.
    const bool of_integers = bias && !is_floating(bias->dtype());
    if (of_integers && !bias_) return false;
    const TensorRef factor = float_factor(node, form);
    Node* last = form.sums_codes() ? scaled_result(node).product : &node;
    if (!factor || !last) return false;

    const bool rounds = input_of(node, form.codes.result_scale) != nullptr;
    const TensorRef result(last->outputs()[0]);
    last->outputs().set(0, variable(*result));
    const bool adds = bias && form.float_op == "MatMul";
    const TensorRef product = rounds || adds ? variable(*result) : result;
    graphsurgeon::Layer layer{.op = form.float_op};
    layer.inputs = {factor, constant(weight, transposed)};
    if (bias && !adds) layer.inputs.emplace_back(of_integers ? constant(*bias_) : TensorRef(bias));
    layer.outputs = {product};
    const std::string name = fresh(std::string(node.name()) + "_float");
    layer.name = name;
    graph().layer(layer);
    NodeRef made = graph().nodes().back();
    if (form.float_op != "MatMul") {
      for (const graphsurgeon::Attribute& attribute : node.attributes())
        made->set_attribute(attribute);
    }
    if (adds) {
      const std::string sum = fresh(std::string(node.name()) + "_bias");
      graph().layer({.op = "Add",
                     .inputs = {product, TensorRef(bias)},
                     .outputs = {result},
                     .name = std::string_view(sum)});
    }
    if (rounds) round(node, form, product, result);
    return true;
  }

  void round(Node& node, const OperatorFacts& form, const TensorRef& from, const TensorRef& to) {
    const std::string name = fresh(std::string(node.name()) + "_rounding");
    graphsurgeon::Layer layer{.op = "QuantizeLinear"};
    layer.inputs = {from, TensorRef(input_of(node, form.codes.result_scale))};
    if (Tensor* zero = input_of(node, form.codes.result_zero))
      layer.inputs.emplace_back(TensorRef(zero));
    layer.outputs = {to};
    layer.name = name;
    graph().layer(layer);
  }

  // Null: the scale of the integers is not known.
  TensorRef float_factor(Node& node, const OperatorFacts& form) {
    Tensor* factor = node.inputs()[0];
    if (form.codes.scale < 0 && form.codes.zero < 0) return TensorRef(factor);
    if (Tensor* before = before_rounding(factor)) return TensorRef(before);
    Tensor* scale = input_of(node, form.codes.scale);
    if (!scale) return {};
    const TensorRef made = variable(*factor);
    const std::string name = fresh(std::string(node.name()) + "_input");
    graphsurgeon::Layer layer{.op = "DequantizeLinear"};
    layer.inputs = {TensorRef(factor), TensorRef(scale)};
    if (Tensor* zero = input_of(node, form.codes.zero)) layer.inputs.emplace_back(TensorRef(zero));
    layer.outputs = {made};
    layer.name = name;
    graph().layer(layer);
    return made;
  }

  const Model& reference_;
  Model model_;
  std::set<std::string> names_;
  std::unordered_map<std::string_view, Tensor*> tensors_;        // of the reference
  std::vector<NodeRef> nodes_;                                   // as they were
  std::map<std::pair<std::string, bool>, TensorRef> constants_;  // true: transposed
  const Tensor* bias_ = nullptr;
};

}  // namespace

RestoredModel restored_layers(const Model& reference, const std::vector<Site>& sites,
                              const Model& quantized, const std::vector<bool>& kept) {
  Restoring restoring(reference, quantized);
  std::vector<std::string> left;
  for (size_t i = 0; i < sites.size(); ++i) {
    if (!kept[i]) continue;
    for (const size_t position : sites[i].quantized_nodes) {
      if (restoring.restore(sites[i], position)) continue;
      const std::string name(quantized.graph->nodes()[position]->name());
      if (std::ranges::find(left, name) == left.end()) left.push_back(name);
    }
  }
  return {restoring.finish(), std::move(left)};
}

}  // namespace polygraphy
