#include "polygraphy/model_tools/visual/visualize_engine.h"

#include <unordered_map>
#include <utility>

#include "base/arrays/dtype.h"
#include "polygraphy/model_tools/visual/visual_ids.h"
#include "polygraphy/runtimes/compiled/layer_attribute_text.h"

namespace polygraphy {
namespace {

// A graph that finds its tensors by their names.
class NamedGraph {
 public:
  explicit NamedGraph(std::string title) { graph_.title = std::move(title); }

  void add_port(VisualNode::Kind kind, const std::string& name, const TensorInfo& info) {
    const bool is_input = kind == VisualNode::Kind::kInput;
    VisualNode node{.kind = kind, .name = name};
    node.op = is_input ? "Graph Input" : "Graph Output";
    (is_input ? node.outputs : node.inputs).push_back(index_of(name, info));
    graph_.nodes.push_back(std::move(node));
  }

  VisualNode& add_layer(const std::string& name, const std::string& op, const NamedTensors& inputs,
                        const NamedTensors& outputs) {
    VisualNode node{.kind = VisualNode::Kind::kNode, .name = name, .op = op};
    for (const auto& [tensor, info] : inputs) node.inputs.push_back(index_of(tensor, info));
    for (const auto& [tensor, info] : outputs) node.outputs.push_back(index_of(tensor, info));
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back();
  }

  VisualGraph take() { return std::move(graph_); }

 private:
  // Another mention of a tensor may supply missing information.
  size_t index_of(const std::string& name, const TensorInfo& info) {
    const auto [entry, is_new] = tensors_.emplace(name, graph_.tensors.size());
    if (is_new) graph_.tensors.push_back({.name = name});
    VisualTensor& tensor = graph_.tensors[entry->second];
    if (tensor.type.empty()) tensor.type = name_of(info.dtype);
    if (tensor.shape.empty() && info.shape) tensor.shape = shape_text(*info.shape);
    if (tensor.note.empty()) tensor.note = info.docstring;
    return entry->second;
  }

  VisualGraph graph_;
  std::unordered_map<std::string, size_t> tensors_;
};

VisualGraph graph_of(const EngineDescription& engine, const std::vector<EngineLayer>& layers,
                     std::string title) {
  NamedGraph graph(std::move(title));
  for (const EngineTensor& tensor : engine.tensors) {
    if (tensor.is_input) graph.add_port(VisualNode::Kind::kInput, tensor.name, tensor.info);
  }
  for (const EngineLayer& layer : layers) {
    graph.add_layer(layer.name, layer.type, layer.inputs, layer.outputs).attributes = {
        {"Origin", layer.origin}, {"Tactic", layer.tactic}};
  }
  for (const EngineTensor& tensor : engine.tensors) {
    if (!tensor.is_input) graph.add_port(VisualNode::Kind::kOutput, tensor.name, tensor.info);
  }
  return graph.take();
}

}  // namespace

VisualModel visualize(const NetworkDescription& network) {
  NamedGraph graph(network.name);
  for (const auto& [name, info] : network.inputs) {
    graph.add_port(VisualNode::Kind::kInput, name, info);
  }
  for (const NetworkLayer& layer : network.layers) {
    VisualNode& node = graph.add_layer(layer.name, layer.op, layer.inputs, layer.outputs);
    for (const LayerAttribute& attribute : layer.attributes) {
      node.attributes.emplace_back(attribute.name, attribute_text(attribute));
    }
  }
  for (const auto& [name, info] : network.outputs) {
    graph.add_port(VisualNode::Kind::kOutput, name, info);
  }
  VisualModel model{.title = network.name + " | TensorRT Network"};
  model.graphs.push_back(graph.take());
  number_nodes(model);
  return model;
}

VisualModel visualize(const EngineDescription& engine) {
  VisualModel model{.title = engine.name + " | TensorRT Engine"};
  for (size_t i = 0; i < engine.layers.size(); ++i) {
    const bool per_profile = engine.layers.size() > 1;
    model.graphs.push_back(graph_of(engine, engine.layers[i],
                                    per_profile ? "Profile " + std::to_string(i) : engine.name));
  }
  if (model.graphs.empty()) model.graphs.push_back(graph_of(engine, {}, engine.name));
  number_nodes(model);
  return model;
}

}  // namespace polygraphy
