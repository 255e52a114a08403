#include "building/rounding.h"

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

// Between a node and its output: Cast to `type`, and back.
void round_output(graphsurgeon::Graph& graph, Node& node, size_t index, OnnxType type,
                  std::vector<NodeRef>& nodes) {
  const TensorRef output(node.outputs()[index]);
  const std::string name(output->name());
  const auto stage = [&](const char* suffix, OnnxType of_stage) {
    return graph.variable(name + suffix, of_stage);
  };
  const TensorRef exact = stage("_exact", OnnxType::kFloat32), rounded = stage("_rounded", type);
  const auto cast = [&](const TensorRef& from, const TensorRef& to, OnnxType wanted) {
    const NodeRef made = Node::create(graph.store(), "Cast", std::string(to->name()) + "_cast");
    made->inputs().append(from);
    made->outputs().append(to);
    made->set_attribute("to", static_cast<int64_t>(wanted));
    nodes.push_back(made);
  };
  node.outputs().set(index, exact);
  cast(exact, rounded, type);
  cast(rounded, output, OnnxType::kFloat32);
}

}  // namespace

Rounding::Rounding(const NetworkImpl& network, const ConfigImpl& config) : network_(network) {
  if (config.flag("kBF16")) type_ = DataType::kBF16;
  if (config.flag("kFP16")) type_ = DataType::kHALF;
  obeys_ =
      config.flag("kOBEY_PRECISION_CONSTRAINTS") || config.flag("kPREFER_PRECISION_CONSTRAINTS");
}

DataType Rounding::type_for(const LayerImpl& layer) const {
  if (!obeys_) return type_;
  if (layer.precision) return *layer.precision;
  const auto of_output = layer.output_types.find(0);
  return of_output == layer.output_types.end() ? type_ : of_output->second;
}

std::string Rounding::name_for(const LayerImpl& layer) const {
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

void Rounding::apply(graphsurgeon::Model& model) const {
  std::unordered_map<std::string_view, const LayerImpl*> layer_of;  // by first output
  for (const LayerObject& layer : network_.layers) {
    if (!layer.impl->outputs.empty()) layer_of[layer.impl->outputs[0]->getName()] = layer.impl;
  }
  std::vector<NodeRef> nodes;
  bool changed = false;
  for (const NodeRef& node : model.graph->nodes()) {
    nodes.push_back(node);
    const auto layer =
        node->outputs().empty() ? layer_of.end() : layer_of.find(node->outputs()[0]->name());
    if (layer == layer_of.end()) continue;
    const DataType type = type_for(*layer->second);
    if (type != DataType::kHALF && type != DataType::kBF16) continue;
    for (size_t i = 0; i < node->outputs().size(); ++i) {
      const auto* output = node->outputs()[i];
      if (output->is_empty() || output->dtype() != OnnxType::kFloat32) continue;
      round_output(*model.graph, *node, i, to_onnx(type), nodes);
      changed = true;
    }
  }
  if (!changed) return;
  model.graph->mutable_nodes() = nodes;
  // Casts to bfloat16 came with opset 13.
  if (model.opset().value_or(13) < 13 && type_ == DataType::kBF16) model.set_opset(13);
}

}  // namespace tensorrt_double
