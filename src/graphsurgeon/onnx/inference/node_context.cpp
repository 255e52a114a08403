#include "graphsurgeon/onnx/inference/node_context.h"

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <limits>
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

// As many unknown values as the type says.
const TensorShapeProto* unknown_elements(const TypeProto& type, Arena& arena) {
  if (!type.has_tensor_type()) return nullptr;
  const auto elem = type.tensor_type().elem_type();
  if (elem != TensorProto::INT64 && elem != TensorProto::INT32) return nullptr;
  const TensorShapeProto& shape = type.tensor_type().shape();
  if (shape.dim_size() != 1 || !shape.dim(0).has_dim_value()) return nullptr;
  const int64_t count = shape.dim(0).dim_value();
  if (count < 0 || count > kMostElements) return nullptr;
  return shape_message(DimList(static_cast<size_t>(count)), arena);
}

// The integers that a type holds exactly.
struct Range {
  int64_t least, most;
  bool holds(int64_t value) const { return least <= value && value <= most; }
};

template <typename T>
constexpr Range range_of() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

Range range_of(int elem_type) {
  constexpr Range kInt64 = range_of<int64_t>();
  const auto floating = [](int bits) { return Range{-(int64_t{1} << bits), int64_t{1} << bits}; };
  switch (elem_type) {
    case TensorProto::UNDEFINED:
    case TensorProto::INT64:
      return kInt64;
    case TensorProto::UINT64:
      return {0, kInt64.most};
    case TensorProto::INT32:
      return range_of<int32_t>();
    case TensorProto::UINT32:
      return range_of<uint32_t>();
    case TensorProto::INT16:
      return range_of<int16_t>();
    case TensorProto::UINT16:
      return range_of<uint16_t>();
    case TensorProto::INT8:
      return range_of<int8_t>();
    case TensorProto::UINT8:
      return range_of<uint8_t>();
    case TensorProto::BOOL:
      return {0, 1};
    case TensorProto::DOUBLE:
      return floating(53);
    case TensorProto::FLOAT:
      return floating(24);
    case TensorProto::FLOAT16:
      return floating(11);
    case TensorProto::BFLOAT16:
      return floating(8);
    default:
      return {0, -1};
  }
}

// The names of dimensions may stand for what does not fit into smaller types.
bool holds_dimensions(int elem_type) {
  return range_of(elem_type).most >= range_of(TensorProto::FLOAT).most;
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
    if (elements != nullptr) one.symbolic = shape_message(*elements, body_.arena());
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

const TensorShapeProto* ValuesContext::getInputData(size_t i) {
  if (!types_.hasInput(i)) return nullptr;
  DimList scratch;
  Arena& arena = types_.body().arena();
  const DimList* elements = types_.body().elements(*types_.node().inputs()[i], scratch);
  if (elements != nullptr) return shape_message(*elements, arena);
  return unknown_elements(*types_.getInputType(i), arena);
}

void ValuesContext::addOutputData(size_t i, TensorShapeProto&& values) {
  if (!types_.hasOutput(i) || values.dim_size() > kMostElements) return;
  const TypeProto& type = *types_.getOutputType(i);
  const int elem = type.has_tensor_type() ? type.tensor_type().elem_type() : 0;
  // The library computes with 64 bits for every type.
  const Range range = range_of(elem);
  DimList elements;
  elements.reserve(static_cast<size_t>(values.dim_size()));
  for (const auto& dim : values.dim()) {
    if (dim.has_dim_value() && range.holds(dim.dim_value())) {
      elements.emplace_back(dim.dim_value());
    } else if (!dim.dim_param().empty() && holds_dimensions(elem)) {
      elements.emplace_back(std::string_view(dim.dim_param()));
    } else {
      elements.emplace_back();
    }
  }
  types_.body().set_elements(*types_.node().outputs()[i], std::move(elements));
}

}  // namespace graphsurgeon
