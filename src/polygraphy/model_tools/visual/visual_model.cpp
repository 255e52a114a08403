#include "polygraphy/model_tools/visual/visual_model.h"

#include "formats/record_json.h"

namespace polygraphy {
namespace {

std::string_view kind_name(VisualNode::Kind kind) {
  switch (kind) {
    case VisualNode::Kind::kNode:
      return "node";
    case VisualNode::Kind::kInput:
      return "input";
    case VisualNode::Kind::kOutput:
      return "output";
    case VisualNode::Kind::kCapture:
      return "capture";
  }
  return {};
}

void put_known(JsonWriter& json, std::string_view key, const std::string& text) {
  json.key(key);
  if (text.empty()) {
    json.null();
  } else {
    json.string(text);
  }
}

void put_tensors(JsonWriter& json, std::string_view key, const VisualGraph& graph,
                 const std::vector<size_t>& tensors) {
  json.key(key);
  json.begin_array();
  for (const size_t index : tensors) {
    const VisualTensor& tensor = graph.tensors[index];
    json.begin_object();
    write_member(json, "name", tensor.name);
    put_known(json, "dtype", tensor.type);
    put_known(json, "shape", tensor.shape);
    put_known(json, "docstring", tensor.note);
    write_member(json, "initializer", tensor.constant);
    if (tensor.values) write_member(json, "values", *tensor.values);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string node_json(const VisualModel& model, const VisualGraph& graph, const VisualNode& node) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  write_member(json, "kind", kind_name(node.kind));
  write_member(json, "node_id", node.id);
  write_member(json, "name", node.name);
  write_member(json, "op_type", node.op);
  if (!node.module.empty()) write_member(json, "module", node.module);
  if (!node.source.empty()) write_member(json, "source", node.source);
  put_tensors(json, "inputs", graph, node.inputs);
  put_tensors(json, "outputs", graph, node.outputs);
  json.key("attrs");
  json.begin_array();
  for (const auto& [name, value] : node.attributes) {
    json.begin_object();
    write_member(json, "key", name);
    write_member(json, "val", value);
    json.end_object();
  }
  json.end_array();
  json.key("subgraphs");
  json.begin_object();
  for (const auto& [attribute, index] : node.subgraphs) {
    json.key(attribute);
    json.begin_array();
    for (const VisualNode& inner : model.graphs[index].nodes) json.string(inner.id);
    json.end_array();
  }
  json.end_object();
  json.end_object();
  return sink.text();
}

}  // namespace polygraphy
