#include "graphsurgeon/onnx/version_converter.h"

#include <onnx/onnx_pb.h>
#include <onnx/version_converter/convert.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/onnx/inference/type_inference.h"
#include "graphsurgeon/onnx/stripped_model.h"

namespace graphsurgeon {

namespace {

using polygraphy::Error;

// "/path/convert.h:66: f: Assertion `x` failed: reason" -> "reason"
std::string without_place(std::string_view message) {
  constexpr std::string_view kFailed = "` failed: ";
  const size_t found = message.find(kFailed);
  return std::string(found == std::string_view::npos ? message
                                                     : message.substr(found + kFailed.size()));
}

// Numbers the payloads that the copy does not have; the converter carries the number along as the
// offset.
class Labels {
 public:
  void label(onnx::GraphProto& proto, const Graph& graph) {
    size_t next = 0;
    for (const TensorRef& tensor : graph.initializers()) {
      if (tensor->payload()->kind() == Payload::Kind::kSparse) continue;
      if (next < static_cast<size_t>(proto.initializer_size())) {
        label(*proto.mutable_initializer(static_cast<int>(next)), tensor->payload());
      }
      ++next;
    }
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      label(*proto.mutable_node(static_cast<int>(i)), *graph.nodes()[i]);
    }
  }

  // The payload behind a reference made by label(); null for any other.
  PayloadPtr find(const PayloadPtr& payload) const {
    const ExternalRange* range = payload ? payload->external() : nullptr;
    if (range == nullptr || range->location != kStrippedLocation) return nullptr;
    const auto index = static_cast<size_t>(range->offset);
    return index < payloads_.size() ? payloads_[index] : nullptr;
  }

 private:
  void label(onnx::NodeProto& proto, const Node& node) {
    if (proto.attribute_size() == 0) return;
    for (auto& to : *proto.mutable_attribute()) {
      const Attribute* from = node.attribute(to.name());
      if (from == nullptr) continue;
      if (const auto* tensor = std::get_if<TensorValue>(&from->value)) {
        if (to.has_t()) label(*to.mutable_t(), tensor->values);
      } else if (const auto* tensors = std::get_if<std::vector<TensorValue>>(&from->value)) {
        for (int i = 0; i < to.tensors_size(); ++i) {
          label(*to.mutable_tensors(i), (*tensors)[static_cast<size_t>(i)].values);
        }
      } else if (const auto* graph = std::get_if<GraphRef>(&from->value)) {
        label(*to.mutable_g(), **graph);
      } else if (const auto* graphs = std::get_if<std::vector<GraphRef>>(&from->value)) {
        for (int i = 0; i < to.graphs_size(); ++i) {
          label(*to.mutable_graphs(i), *(*graphs)[static_cast<size_t>(i)]);
        }
      }
    }
  }

  void label(onnx::TensorProto& proto, const PayloadPtr& payload) {
    if (proto.data_location() != onnx::TensorProto::EXTERNAL) return;
    proto.clear_external_data();
    const auto add = [&](const char* key, std::string value) {
      auto* entry = proto.add_external_data();
      entry->set_key(key);
      entry->set_value(std::move(value));
    };
    add("location", kStrippedLocation);
    add("offset", std::to_string(payloads_.size()));
    payloads_.push_back(payload);
  }

  std::vector<PayloadPtr> payloads_;
};

void attach(const Labels& labels, Node& node) {
  for (const Attribute& attribute :
       std::vector<Attribute>(node.attributes().begin(), node.attributes().end())) {
    Attribute changed = attribute;
    bool any = false;
    const auto replace = [&](TensorValue& tensor) {
      if (PayloadPtr found = labels.find(tensor.values)) {
        tensor.values = std::move(found);
        any = true;
      }
    };
    if (auto* tensor = std::get_if<TensorValue>(&changed.value)) {
      replace(*tensor);
    } else if (auto* tensors = std::get_if<std::vector<TensorValue>>(&changed.value)) {
      for (TensorValue& one : *tensors) replace(one);
    }
    if (!any) continue;
    changed.encoded = {};
    node.set_attribute(std::move(changed));
  }
}

// Puts the payloads back, subgraphs included.
void attach(const Labels& labels, const Model& model) {
  std::vector<GraphRef> todo = {model.graph};
  for (const FunctionRef& function : model.functions) todo.emplace_back(function.get());
  while (!todo.empty()) {
    const GraphRef graph = std::move(todo.back());
    todo.pop_back();
    for (const TensorRef& tensor : graph->initializers()) {
      if (PayloadPtr found = labels.find(tensor->payload())) tensor->to_constant(std::move(found));
    }
    for (const NodeRef& node : graph->nodes()) {
      attach(labels, *node);
      for (GraphRef& subgraph : node->subgraphs()) todo.push_back(std::move(subgraph));
    }
  }
}

// Some adapters want to know shapes. Failures to infer them are not of interest here.
void to_typed_proto(const Model& model, onnx::ModelProto& out) {
  to_stripped_proto(model, out);
  const Model copy = from_proto(out, display_name(model));
  TypeInference inference(copy, opsets_of(copy.opset_imports), {.follow_values = false});
  for (const NodeRef& node : copy.graph->nodes()) inference.infer(*node);
  out.Clear();
  to_stripped_proto(copy, out);
}

}  // namespace

Model convert_version(const Model& model, int64_t version) {
  const std::string name = display_name(model);
  if (version < 1 || version > INT32_MAX) {
    throw Error(name + ": unknown opset " + std::to_string(version));
  }
  if (!model.opset()) {
    throw Error(name + ": the model imports no version of the default domain to convert from");
  }
  onnx::ModelProto proto;
  to_typed_proto(model, proto);
  Labels labels;
  labels.label(*proto.mutable_graph(), *model.graph);
  for (size_t i = 0; i < model.functions.size(); ++i) {
    // Functions are carried over as they are, so their tensors are labelled where they lie.
    onnx::GraphProto body;
    body.mutable_node()->Swap(proto.mutable_functions(static_cast<int>(i))->mutable_node());
    labels.label(body, *model.functions[i]);
    body.mutable_node()->Swap(proto.mutable_functions(static_cast<int>(i))->mutable_node());
  }

  const auto functions = proto.functions();
  onnx::ModelProto converted;
  try {
    converted = onnx::version_conversion::DefaultVersionConverter().convert_version(
        proto, onnx::OpSetID(*model.opset()), onnx::OpSetID(version));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(name + ": cannot be converted from opset " + std::to_string(*model.opset()) +
                " to " + std::to_string(version) + ": " + without_place(error.what()));
  }
  *converted.mutable_functions() = functions;
  // The converter makes initializers that are not inputs, which the format allows since version 4.
  if (converted.ir_version() < 4) converted.set_ir_version(4);
  Model result = from_proto(converted, name);
  attach(labels, result);
  result.external_data_dir = model.external_data_dir;
  return result;
}

}  // namespace graphsurgeon
