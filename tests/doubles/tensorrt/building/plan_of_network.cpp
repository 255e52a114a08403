#include "building/plan_of_network.h"

#include <algorithm>
#include <set>

#include "building/layer_rounder.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/cleanup.h"

namespace tensorrt_double {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::TensorRef;

PlanTensor plan_tensor(const TensorImpl& tensor) {
  return {tensor.name,
          static_cast<int32_t>(tensor.type),
          static_cast<int32_t>(tensor.tensor->dtype()),
          tensor.dims,
          tensor.is_input,
          tensor.is_output,
          tensor.is_shape,
          tensor.formats};
}

// Weights in other files come into the model. Returns the bytes of all weights.
int64_t inline_weights(Graph& graph) {
  int64_t bytes = 0;
  for (const TensorRef& weight : graph.initializers()) {
    bytes += weight->payload()->nbytes();
    if (weight->payload()->external()) {
      weight->replace_values(graphsurgeon::owned_payload(weight->values().clone()));
    }
  }
  for (const auto& inner : graph.subgraphs(true)) {
    for (const TensorRef& weight : inner->initializers()) {
      if (weight->payload()->external()) {
        weight->replace_values(graphsurgeon::owned_payload(weight->values().clone()));
      }
    }
  }
  return bytes;
}

PlanLayer plan_layer(const LayerImpl& layer, const LayerRounder& rounder) {
  PlanLayer result;
  result.name = layer.name;
  const char* type = name_of(layer.type);
  result.type = type ? type + 1 : "";
  result.metadata = layer.metadata;
  result.precision = rounder.name_for(layer);
  for (const auto* tensor : layer.inputs) {
    if (tensor) result.inputs.emplace_back(tensor->getName());
  }
  for (const auto* tensor : layer.outputs) {
    if (tensor) result.outputs.emplace_back(tensor->getName());
  }
  return result;
}

}  // namespace

Plan plan_of_network(const NetworkImpl& network, const ConfigImpl& config) {
  graphsurgeon::Model model = graphsurgeon::copy(network.model);
  const auto by_name = model.graph->tensor_map();
  Plan plan;
  plan.name = network.name;
  for (const auto* input : network.inputs) {
    plan.tensors.push_back(plan_tensor(TensorObject::impl_of(*input)));
  }
  std::vector<TensorRef> outputs;
  const auto add_output = [&](const TensorImpl& tensor) {
    const auto found = by_name.find(tensor.name);
    if (found == by_name.end()) throw usage_error("no tensor " + tensor.name);
    outputs.emplace_back(found->second);
    plan.tensors.push_back(plan_tensor(tensor));
  };
  for (const auto* output : network.outputs) add_output(TensorObject::impl_of(*output));
  for (const auto& object : network.tensors) {
    const TensorImpl& tensor = object->impl();
    const bool unfused = network.all_unfused_are_debug && tensor.tensor->producer();
    if (!tensor.is_debug && !unfused) continue;
    (tensor.is_debug ? plan.debug_tensors : plan.unfused_tensors).push_back(tensor.name);
    if (!tensor.is_output) add_output(tensor);
  }
  model.graph->mutable_outputs() = outputs;
  graphsurgeon::cleanup(model);
  plan.weight_bytes = inline_weights(*model.graph);

  const LayerRounder rounder(network, config);
  std::set<std::string_view> made;
  for (const auto& node : model.graph->nodes()) {
    if (!node->outputs().empty()) made.insert(node->outputs()[0]->name());
  }
  for (const LayerObject& layer : network.layers) {
    const auto& of_layer = layer.impl->node->outputs();
    if (!of_layer.empty() && made.contains(of_layer[0]->name())) {
      plan.layers.push_back(plan_layer(*layer.impl, rounder));
    }
  }
  for (const TensorRef& weight : model.graph->initializers()) {
    plan.refittable_weights.emplace_back(weight->name());
  }
  rounder.apply(model);
  plan.is_stripped = config.flag("kSTRIP_PLAN");
  plan.onnx = plan.is_stripped ? graphsurgeon::encode_without_payloads(model)
                               : graphsurgeon::encode_model(model);

  for (const auto* profile : config.profiles) {
    plan.profiles.push_back(ProfileObject::impl_of(*profile).ranges);
  }
  if (plan.profiles.empty()) plan.profiles.emplace_back();
  plan.is_refittable = plan.is_stripped || config.flag("kREFIT") ||
                       config.flag("kREFIT_IDENTICAL") || config.flag("kREFIT_INDIVIDUAL");
  plan.has_host_code = config.flag("kVERSION_COMPATIBLE") && !config.flag("kEXCLUDE_LEAN_RUNTIME");
  plan.streams_weights = config.flag("kWEIGHT_STREAMING");
  plan.capability = static_cast<int32_t>(config.capability);
  plan.verbosity = static_cast<int32_t>(config.verbosity);
  plan.hardware = static_cast<int32_t>(config.hardware);
  plan.runtime_platform = static_cast<int32_t>(config.platform);
  plan.aux_streams = std::max(config.aux_streams, 0);
  plan.tactic_sources = config.tactic_sources;
  return plan;
}

}  // namespace tensorrt_double
