#include "graphsurgeon/onnx/inference/node_context.h"

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <string_view>

#include "graphsurgeon/onnx/inference/value_message.h"

namespace graphsurgeon {

namespace {

using google::protobuf::Arena;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

TensorShapeProto* shape_message(const DimList& elements, Arena& arena) {
  auto* shape = Arena::CreateMessage<TensorShapeProto>(&arena);
  shape->mutable_dim()->Reserve(static_cast<int>(elements.size()));
  for (const Dim& element : elements) {
    auto* dim = shape->add_dim();
    if (element.has_value()) {
      dim->set_dim_value(element.value());
    } else if (!element.param().empty()) {
      dim->set_dim_param(element.param());
    }
  }
  return shape;
}

// The library expects integers, not fractions.
bool holds_integers(const TypeProto& type) {
  const auto elem = type.tensor_type().elem_type();
  return elem == TensorProto::UNDEFINED || elem == TensorProto::INT64 || elem == TensorProto::INT32;
}

}  // namespace

NodeContext::NodeContext(const Node& node, Body& body, const Inferencers& inferencers)
    : node_(node),
      body_(body),
      make_inferencer_(inferencers),
      inputs_(node.inputs().size()),
      outputs_(node.outputs().size()) {}

const onnx::AttributeProto* NodeContext::getAttribute(const std::string& name) const {
  const Attribute* attribute = body_.attribute(node_, name);
  if (attribute == nullptr) return nullptr;
  for (const auto& [known, message] : attributes_) {
    if (known == attribute) return message;
  }
  attributes_.emplace_back(attribute, attribute_message(*attribute, body_.arena()));
  return attributes_.back().second;
}

NodeContext::Input& NodeContext::input(size_t i) const {
  if (i >= inputs_.size()) fail_type_inference("Input ", i, " is out of bounds.");
  return inputs_[i];
}

bool NodeContext::hasInput(size_t i) const {
  return i < inputs_.size() && !body_.is_absent(*node_.inputs()[i]);
}

const TypeProto* NodeContext::getInputType(size_t i) const {
  Input& one = input(i);
  if (!one.knows_type) {
    one.knows_type = true;
    if (hasInput(i)) {
      one.type = body_.type(*node_.inputs()[i]);
      if (one.type == nullptr) one.type = &TypeProto::default_instance();
    }
  }
  return one.type;
}

const TensorProto* NodeContext::getInputData(size_t i) const {
  Input& one = input(i);
  if (!one.knows_values) {
    one.knows_values = true;
    if (hasInput(i)) one.values = body_.values(*node_.inputs()[i]);
  }
  return one.values;
}

const TensorShapeProto* NodeContext::getSymbolicInput(size_t i) const {
  Input& one = input(i);
  if (!one.knows_symbolic) {
    one.knows_symbolic = true;
    const DimList* elements = hasInput(i) ? body_.told_elements(*node_.inputs()[i]) : nullptr;
    const bool are_integers = elements != nullptr && holds_integers(*getInputType(i));
    if (are_integers) one.symbolic = shape_message(*elements, body_.arena());
  }
  return one.symbolic;
}

TypeProto* NodeContext::getOutputType(size_t i) {
  if (i >= outputs_.size()) fail_type_inference("Output ", i, " is out of bounds.");
  if (outputs_[i] == nullptr) outputs_[i] = Arena::CreateMessage<TypeProto>(&body_.arena());
  return outputs_[i];
}

bool NodeContext::hasOutput(size_t i) {
  return i < outputs_.size() && !node_.outputs()[i]->is_empty();
}

onnx::GraphInferencer* NodeContext::getGraphAttributeInferencer(const std::string& name) {
  const Attribute* attribute = body_.attribute(node_, name);
  const auto* graph = attribute != nullptr ? std::get_if<GraphRef>(&attribute->value) : nullptr;
  if (graph == nullptr || !*graph) {
    fail_type_inference("Attribute ", name, " does not contain a graph.");
  }
  inferencers_.push_back(make_inferencer_(**graph));
  return inferencers_.back().get();
}

std::string NodeContext::getDisplayName() const {
  std::string name = "node " + std::string(node_.op());
  if (!node_.domain().empty()) name += '[' + std::string(node_.domain()) + ']';
  if (!node_.name().empty()) name += " (" + std::string(node_.name()) + ')';
  return name;
}

bool NodeContext::are_inputs_typed() const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (hasInput(i) && getInputType(i)->value_case() == TypeProto::VALUE_NOT_SET) return false;
  }
  return true;
}

}  // namespace graphsurgeon
