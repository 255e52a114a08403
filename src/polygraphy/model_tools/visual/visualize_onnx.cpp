#include "polygraphy/model_tools/visual/visualize_onnx.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/arrays/dtype.h"
#include "base/indented_text.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "graphsurgeon/operators/exporter_notes.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/inspect/attribute_text.h"
#include "polygraphy/model_tools/inspect/tensor_text.h"
#include "polygraphy/model_tools/visual/visual_ids.h"
#include "polygraphy/model_tools/visual/weight_reader.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;

constexpr size_t kMaxValueBytes = 2000;

std::string cut(std::string text) {
  if (text.size() <= kMaxValueBytes) return text;
  size_t end = kMaxValueBytes;
  while (end > kMaxValueBytes - 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  const size_t left_out = code_points(std::string_view(text).substr(end));
  text.resize(end);
  return text + " … (" + std::to_string(left_out) + " more characters)";
}

std::string type_of(const Tensor& tensor) {
  const bool plain = tensor.is_constant() || tensor.type_kind() == TypeKind::kTensor ||
                     tensor.type_proto().empty();
  if (!plain) return type_text(tensor.type_proto());
  if (tensor.dtype() == DataType::kUndefined) return {};
  IndentedText text;
  put_dtype(text, tensor.dtype());
  return text.take();
}

VisualTensor tensor_of(const Tensor& tensor) {
  const auto shape = tensor.shape();
  return {.name = std::string(tensor.name()),
          .type = type_of(tensor),
          .shape = shape ? shape_text(*shape) : "",
          .constant = tensor.is_constant()};
}

// The graphs of a model, outer ones first.
class OnnxGraphs {
 public:
  OnnxGraphs(Logger& log, int64_t most_values) : log_(log), weights_(most_values) {}

  VisualModel run(const Model& model) {
    const auto opset = model.opset();
    result_.title = std::string(model.graph->name()) +
                    " | ONNX Opset: " + (opset ? std::to_string(*opset) : "Unknown");
    index_of(*model.graph, std::string(model.graph->name()));
    for (size_t i = 0; i < found_.size(); ++i) add_graph(i);
    number_nodes(result_);
    return std::move(result_);
  }

 private:
  size_t index_of(const Graph& graph, const std::string& title) {
    const auto [entry, is_new] = indices_.emplace(&graph, found_.size());
    if (is_new) {
      found_.push_back(&graph);
      result_.graphs.push_back({.title = title});
    }
    return entry->second;
  }

  void add_graph(size_t index) {
    const Graph& graph = *found_[index];
    tensors_.clear();
    drawn_ = {};
    for (const TensorRef& input : graph.inputs()) {
      if (!input->is_constant()) add_port(VisualNode::Kind::kInput, *input);
    }
    std::vector<VisualNode> nodes;
    for (const auto& node : graph.nodes()) nodes.push_back(node_of(*node));
    if (index > 0) add_captures(graph);
    for (VisualNode& node : nodes) drawn_.nodes.push_back(std::move(node));
    for (const TensorRef& output : graph.outputs()) add_port(VisualNode::Kind::kOutput, *output);
    drawn_.title = std::move(result_.graphs[index].title);
    result_.graphs[index] = std::move(drawn_);
  }

  size_t index_of(const Tensor& tensor) {
    const auto [entry, is_new] = tensors_.emplace(&tensor, drawn_.tensors.size());
    if (is_new) {
      drawn_.tensors.push_back(tensor_of(tensor));
      if (tensor.is_constant()) weights_.describe(tensor, drawn_.tensors.back());
    }
    return entry->second;
  }

  void add_port(VisualNode::Kind kind, const Tensor& tensor) {
    VisualNode port{.kind = kind, .name = std::string(tensor.name())};
    const bool is_output = kind == VisualNode::Kind::kOutput;
    port.op = is_output                            ? "Graph Output"
              : kind == VisualNode::Kind::kCapture ? "Tensor of Outer Graph"
                                                   : "Graph Input";
    (is_output ? port.inputs : port.outputs).push_back(index_of(tensor));
    drawn_.nodes.push_back(std::move(port));
  }

  // Tensors that the nodes or outputs of a subgraph take from the graphs around it.
  void add_captures(const Graph& graph) {
    std::vector<const Tensor*> captured;
    std::unordered_set<const Tensor*> known;
    for (const TensorRef& input : graph.inputs()) known.insert(input.get());
    for (const auto& node : graph.nodes()) {
      for (const Tensor* output : node->outputs()) known.insert(output);
    }
    const auto look_at = [&](const Tensor* tensor) {
      if (tensor->is_constant() || tensor->is_empty()) return;
      if (known.insert(tensor).second) captured.push_back(tensor);
    };
    for (const auto& node : graph.nodes()) {
      for (const Tensor* input : node->inputs()) look_at(input);
    }
    for (const TensorRef& output : graph.outputs()) look_at(output.get());
    for (const Tensor* tensor : captured) add_port(VisualNode::Kind::kCapture, *tensor);
  }

  VisualNode node_of(const Node& node) {
    graphsurgeon::ExporterNotes notes = graphsurgeon::exporter_notes(node);
    VisualNode result{.kind = VisualNode::Kind::kNode,
                      .name = std::string(node.name()),
                      .op = std::string(node.op()),
                      .module = std::move(notes.module),
                      .source = std::move(notes.source)};
    for (const Tensor* input : node.inputs()) result.inputs.push_back(index_of(*input));
    for (const Tensor* output : node.outputs()) result.outputs.push_back(index_of(*output));
    for (const Attribute& attribute : node.attributes()) add_attribute(result, attribute);
    return result;
  }

  void add_attribute(VisualNode& node, const Attribute& attribute) {
    if (!is_shown(attribute)) {
      log_.warning(log_modules::kInspectOnnx, skipped_attribute_text(attribute));
    } else if (const auto* subgraph = std::get_if<GraphRef>(&attribute.value)) {
      const std::string name(attribute.name);
      const std::string owner = node.name.empty() ? node.op : node.name;
      node.subgraphs.emplace_back(name, index_of(**subgraph, name + " of " + owner));
    } else {
      IndentedText value;
      put_attribute_value(value, attribute, false, log_);
      node.attributes.emplace_back(attribute.name, cut(value.take()));
    }
  }

  Logger& log_;
  WeightReader weights_;
  VisualModel result_;
  std::vector<const Graph*> found_;
  std::unordered_map<const Graph*, size_t> indices_;
  VisualGraph drawn_;                                  // the graph that is being made
  std::unordered_map<const Tensor*, size_t> tensors_;  // of that graph
};

}  // namespace

VisualModel visualize(const Model& model, Logger& log, int64_t most_values) {
  return OnnxGraphs(log, most_values).run(model);
}

}  // namespace polygraphy
