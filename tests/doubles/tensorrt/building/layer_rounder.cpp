#include "building/layer_rounder.h"

#include <unordered_map>

#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/node.h"

namespace tensorrt_double {
namespace {

using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::TensorRef;
using nvinfer1::DataType;
using OnnxType = polygraphy::DataType;

constexpr bool is_narrow(OnnxType type) {
  return type == OnnxType::kFloat16 || type == OnnxType::kBfloat16;
}

// Puts nodes between a node and its output.
class Chain {
 public:
  Chain(graphsurgeon::Graph& graph, Node& node, size_t index, std::vector<NodeRef>& nodes)
      : graph_(graph), output_(node.outputs()[index]), nodes_(nodes) {
    last_ = graph.variable(std::string(output_->name()) + "_exact", output_->dtype());
    node.outputs().set(index, last_);
  }
  void cast(OnnxType type, bool is_last) {
    add("Cast", type, is_last).set_attribute("to", static_cast<int64_t>(type));
  }
  void identity() { add("Identity", output_->dtype(), true); }

 private:
  Node& add(const char* op, OnnxType type, bool is_last) {
    const std::string name = fmt::format("{}_{}_{}", output_->name(), op, nodes_.size());
    const NodeRef made = Node::create(graph_.store(), op, name);
    made->inputs().append(last_);
    last_ = is_last ? output_ : graph_.variable(name + "_output", type);
    made->outputs().append(last_);
    nodes_.push_back(made);
    return *made;
  }

  graphsurgeon::Graph& graph_;
  TensorRef output_, last_;
  std::vector<NodeRef>& nodes_;
};

}  // namespace

LayerRounder::LayerRounder(const NetworkImpl& network, const ConfigImpl& config)
    : network_(network) {
  if (config.flag("kBF16")) type_ = DataType::kBF16;
  if (config.flag("kFP16")) type_ = DataType::kHALF;
  obeys_ =
      config.flag("kOBEY_PRECISION_CONSTRAINTS") || config.flag("kPREFER_PRECISION_CONSTRAINTS");
}

DataType LayerRounder::type_for(const LayerImpl& layer) const {
  if (!obeys_) return type_;
  if (layer.precision) return *layer.precision;
  const auto of_output = layer.output_types.find(0);
  return of_output == layer.output_types.end() ? type_ : of_output->second;
}

std::string LayerRounder::name_for(const LayerImpl& layer) const {
  const auto* output = layer.getOutput(0);
  const DataType exact = output ? output->getType() : DataType::kFLOAT;
  switch (exact == DataType::kFLOAT ? type_for(layer) : exact) {
    case DataType::kHALF:
      return "Half";
    case DataType::kBF16:
      return "BFloat16";
    case DataType::kINT8:
      return "Int8";
    case DataType::kINT32:
      return "Int32";
    case DataType::kINT64:
      return "Int64";
    case DataType::kBOOL:
      return "Bool";
    default:
      return "Float";
  }
}

void LayerRounder::apply(graphsurgeon::Model& model) const {
  std::unordered_map<std::string_view, const LayerImpl*> layer_of;  // by first output
  for (const LayerObject& layer : network_.layers) {
    if (!layer.impl->outputs.empty()) layer_of[layer.impl->outputs[0]->getName()] = layer.impl;
  }
  std::vector<NodeRef> nodes;
  for (const NodeRef& node : model.graph->nodes()) {
    nodes.push_back(node);
    const auto layer =
        node->outputs().empty() ? layer_of.end() : layer_of.find(node->outputs()[0]->name());
    if (layer == layer_of.end()) continue;
    const DataType type = type_for(*layer->second);
    for (size_t i = 0; i < node->outputs().size(); ++i) {
      const auto* output = node->outputs()[i];
      if (output->is_empty()) continue;
      if (is_narrow(output->dtype())) {
        Chain(*model.graph, *node, i, nodes).identity();
      } else if (output->dtype() == OnnxType::kFloat32 && is_narrow(to_onnx(type))) {
        Chain chain(*model.graph, *node, i, nodes);
        chain.cast(to_onnx(type), false);
        chain.cast(OnnxType::kFloat32, true);
      }
    }
  }
  model.graph->mutable_nodes() = nodes;
}

}  // namespace tensorrt_double
