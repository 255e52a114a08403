#include "graphsurgeon/onnx/inference/body.h"

#include <google/protobuf/arena.h>
#include <onnx/defs/tensor_proto_util.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <utility>

#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/inference/shape_agreement.h"
#include "graphsurgeon/onnx/inference/type_message.h"
#include "graphsurgeon/onnx/inference/value_message.h"
#include "graphsurgeon/sizes/constant_values.h"

namespace graphsurgeon {

namespace {

using google::protobuf::Arena;
using onnx::TensorProto;
using onnx::TypeProto;
namespace inference = onnx::shape_inference;

template <typename T>
const TensorProto* list_message(const std::vector<T>& values, Arena& arena) {
  if (values.size() > static_cast<size_t>(kMostElements)) return nullptr;
  auto* message = Arena::CreateMessage<TensorProto>(&arena);
  *message = onnx::ToTensor(values);
  message->add_dims(static_cast<int64_t>(values.size()));
  return message;
}

template <typename T>
const TensorProto* scalar_message(T value, Arena& arena) {
  auto* message = Arena::CreateMessage<TensorProto>(&arena);
  *message = onnx::ToTensor<T>(value);
  return message;
}

// Longer vectors of integers that nothing else is known of are data, not shapes.
constexpr size_t kMostUnknown = 64;

bool is_made_up(const std::string& name) {
  return name.starts_with("unk__");
}

// Names that an earlier inference has made up, and that other tensors need not have, give way to
// those that are handed on.
void take_names(const TypeProto& found, TypeProto& known) {
  if (!has_shape(found) || !has_shape(known)) return;
  const auto& names = found.tensor_type().shape().dim();
  auto& dims = *known.mutable_tensor_type()->mutable_shape()->mutable_dim();
  if (names.size() != dims.size()) return;
  for (int i = 0; i < dims.size(); ++i) {
    if (dims[i].has_dim_value() || !is_made_up(dims[i].dim_param())) continue;
    const std::string& name = names[i].dim_param();
    if (!name.empty() && !is_made_up(name)) dims[i].set_dim_param(name);
  }
}

bool are_all_known(const DimList& elements) {
  return std::all_of(elements.begin(), elements.end(), [](const Dim& d) { return d.has_value(); });
}

}  // namespace

void Body::bind(const Tensor& parameter, Body& caller, Tensor& argument) {
  Fact& fact = facts_[&parameter];
  const Fact* given = caller.find(argument);
  const bool handed_on = given != nullptr && given->home != nullptr;
  fact.home = handed_on ? given->home : &caller;
  fact.argument = handed_on ? given->argument : &argument;
}

void Body::bind_absent(const Tensor& parameter) {
  facts_[&parameter].is_absent = true;
}

bool Body::is_absent(const Tensor& tensor) const {
  if (tensor.is_empty()) return true;
  const Fact* fact = find(tensor);
  return fact != nullptr && fact->is_absent;
}

const Attribute* Body::resolved(const Attribute& attribute) const {
  if (attribute.ref_attr_name.empty()) return &attribute;
  if (arguments_ == nullptr) return nullptr;
  const auto given = arguments_->find(attribute.ref_attr_name);
  return given == arguments_->end() ? nullptr : given->second;
}

const Attribute* Body::attribute(const Node& node, std::string_view name) const {
  const Attribute* attribute = node.attribute(name);
  return attribute == nullptr ? nullptr : resolved(*attribute);
}

bool Body::waits_for_caller(const Node& node) const {
  if (!has_open_references_) return false;
  const auto attributes = node.attributes();
  return std::any_of(attributes.begin(), attributes.end(),
                     [](const Attribute& a) { return !a.ref_attr_name.empty(); });
}

TypeProto* Body::own_type(const Tensor& tensor, const Fact* fact) const {
  if (fact != nullptr && fact->type != nullptr) return fact->type;
  if (types_ == Types::kOfCall && !tensor.is_constant()) return nullptr;
  TypeProto* type = type_message(tensor, arena_);
  const DimList* names = names_of(tensor);
  if (names == nullptr || type == nullptr || !type->has_tensor_type()) return type;
  auto& dims = *type->mutable_tensor_type()->mutable_shape()->mutable_dim();
  for (int i = 0; i < dims.size() && static_cast<size_t>(i) < names->size(); ++i) {
    if (dims[i].has_dim_value() || !dims[i].dim_param().empty()) continue;
    dims[i].set_dim_param((*names)[static_cast<size_t>(i)].param());
  }
  return type;
}

const DimList* Body::names_of(const Tensor& tensor) const {
  for (const Body* body = this; body != nullptr; body = body->outer_) {
    const auto found = body->names_.find(&tensor);
    if (found != body->names_.end()) return &found->second;
  }
  return nullptr;
}

const TypeProto* Body::type(const Tensor& tensor) {
  const Fact* fact = find(tensor);
  if (fact != nullptr && fact->home != nullptr) return fact->home->type(*fact->argument);
  return own_type(tensor, fact);
}

const Node* Body::constant_node(const Tensor& tensor) const {
  const Node* producer = tensor.producer();
  return producer != nullptr && producer->op() == "Constant" &&
                 is_default_domain(producer->domain())
             ? producer
             : nullptr;
}

const TensorProto* Body::values_of(const Node& constant) const {
  for (const Attribute& written : constant.attributes()) {
    const Attribute* given = resolved(written);
    if (given == nullptr) continue;
    if (const auto* tensor = std::get_if<TensorValue>(&given->value)) {
      return written.name == "value" && tensor->values
                 ? value_message(*tensor->values, tensor->name, arena_)
                 : nullptr;
    }
    if (const auto* value = std::get_if<int64_t>(&given->value)) {
      return scalar_message<int64_t>(*value, arena_);
    }
    if (const auto* value = std::get_if<float>(&given->value)) {
      return scalar_message<float>(*value, arena_);
    }
    if (const auto* list = std::get_if<std::vector<int64_t>>(&given->value)) {
      return list_message(*list, arena_);
    }
    if (const auto* list = std::get_if<std::vector<float>>(&given->value)) {
      return list_message(*list, arena_);
    }
  }
  return nullptr;
}

const TensorProto* Body::values(const Tensor& tensor) {
  const Fact* fact = find(tensor);
  if (fact != nullptr && fact->home != nullptr) return fact->home->values(*fact->argument);
  if (tensor.is_constant()) return value_message(*tensor.payload(), tensor.name(), arena_);
  if (const Node* constant = constant_node(tensor)) {
    if (const TensorProto* values = values_of(*constant)) return values;
  }
  if (fact == nullptr || !fact->elements || !are_all_known(*fact->elements)) return nullptr;
  // Only their type and shape give them a meaning.
  const TypeProto* type = own_type(tensor, fact);
  const auto shape = static_shape(dims_of(type));
  if (!shape || element_count(*shape) != static_cast<int64_t>(fact->elements->size())) {
    return nullptr;
  }
  const auto elem = type->tensor_type().elem_type();
  if (elem != TensorProto::INT64 && elem != TensorProto::INT32) return nullptr;
  auto* message = Arena::CreateMessage<TensorProto>(&arena_);
  message->set_data_type(elem);
  for (const int64_t dim : *shape) message->add_dims(dim);
  for (const Dim& element : *fact->elements) {
    if (elem == TensorProto::INT64) {
      message->add_int64_data(element.value());
    } else {
      message->add_int32_data(static_cast<int32_t>(element.value()));
    }
  }
  return message;
}

bool Body::append_elements_of(const Node& constant, DimList& out) const {
  for (const Attribute& written : constant.attributes()) {
    const Attribute* given = resolved(written);
    if (given == nullptr) continue;
    if (const auto* tensor = std::get_if<TensorValue>(&given->value)) {
      return tensor->values && append_elements(*tensor->values, tensor->name, out);
    }
    if (const auto* value = std::get_if<int64_t>(&given->value)) {
      out.emplace_back(*value);
      return true;
    }
    if (const auto* list = std::get_if<std::vector<int64_t>>(&given->value)) {
      if (list->size() > static_cast<size_t>(kMostElements)) return false;
      out.assign(list->begin(), list->end());
      return true;
    }
  }
  return false;
}

// Of a constant, or of a node that holds one.
std::optional<KnownValues> Body::constant_values_of(const Tensor& tensor) const {
  if (tensor.is_constant()) return constant_values(*tensor.payload(), tensor.name());
  const Node* constant = constant_node(tensor);
  if (constant == nullptr) return std::nullopt;
  for (const Attribute& written : constant->attributes()) {
    const Attribute* given = resolved(written);
    const auto* value = given != nullptr ? std::get_if<TensorValue>(&given->value) : nullptr;
    if (value != nullptr && value->values) return constant_values(*value->values, value->name);
    if (value == nullptr && given != nullptr) {
      if (auto values = constant_values(given->value)) return values;
    }
  }
  return std::nullopt;
}

std::optional<KnownValues> Body::known_values(const Tensor& tensor) {
  const Fact* fact = find(tensor);
  if (fact != nullptr && fact->home != nullptr) return fact->home->known_values(*fact->argument);
  if (auto values = constant_values_of(tensor)) return values;
  if (tensor.is_constant()) return std::nullopt;
  const bool is_told = fact != nullptr && fact->elements != nullptr;
  const TypeProto* type = own_type(tensor, fact);
  if (type == nullptr || !type->has_tensor_type()) return std::nullopt;
  const auto elem = type->tensor_type().elem_type();
  const bool may_count =
      elem == TensorProto::INT64 || elem == TensorProto::INT32 || elem == TensorProto::BOOL;
  if (!is_told && !may_count) return std::nullopt;
  auto shape = static_shape(dims_of(type));
  if (!shape) return std::nullopt;
  const auto count = static_cast<size_t>(element_count(*shape));
  if (!is_told && count > kMostUnknown) return std::nullopt;
  if (!is_told) return KnownValues{std::move(*shape), DimList(count)};
  if (fact->elements->size() != count) return std::nullopt;
  return KnownValues{std::move(*shape), *fact->elements};
}

const DimList* Body::told_elements(const Tensor& tensor) {
  const Fact* fact = find(tensor);
  if (fact != nullptr && fact->home != nullptr) return fact->home->told_elements(*fact->argument);
  return fact != nullptr && !tensor.is_constant() ? fact->elements.get() : nullptr;
}

const DimList* Body::elements(const Tensor& tensor, DimList& scratch) {
  const Fact* fact = find(tensor);
  if (fact != nullptr && fact->home != nullptr) {
    return fact->home->elements(*fact->argument, scratch);
  }
  scratch.clear();
  if (tensor.is_constant()) {
    return append_elements(*tensor.payload(), tensor.name(), scratch) ? &scratch : nullptr;
  }
  const Node* constant = constant_node(tensor);
  if (constant != nullptr && append_elements_of(*constant, scratch)) return &scratch;
  return fact != nullptr ? fact->elements.get() : nullptr;
}

void Body::set_elements(Tensor& tensor, DimList elements) {
  Fact& fact = facts_[&tensor];
  fact.kept = TensorRef(&tensor);
  fact.elements = std::make_unique<DimList>(std::move(elements));
}

void Body::check(const Tensor& tensor, const TypeProto& found) {
  TypeProto* known = own_type(tensor, find(tensor));
  if (known == nullptr) return;
  make_dense(*known);
  inference::checkShapesAndTypes(found, *known);
}

bool Body::learn(Tensor& tensor, TypeProto& found, onnx::SymbolTable& symbols) {
  if (found.value_case() == TypeProto::VALUE_NOT_SET) return false;
  make_dense(found);
  inference::MaterializeSymbolicShape(&found, symbols);
  TypeProto* known = own_type(tensor, find(tensor));
  if (known != nullptr && outer_ != nullptr && !facts_.contains(&tensor)) {
    auto* copy = Arena::CreateMessage<TypeProto>(&arena_);
    *copy = *known;
    known = copy;
  }
  if (known != nullptr) {
    make_dense(*known);
    take_names(found, *known);
    inference::mergeShapesAndTypes(found, known);
    inference::MaterializeSymbolicShape(known, symbols);  // sizes that only the model declares
  } else {
    known = &found;
  }
  if (types_ == Types::kInTensors) return write_type(*known, tensor);
  Fact& fact = facts_[&tensor];
  fact.kept = TensorRef(&tensor);
  fact.type = known;
  return false;
}

}  // namespace graphsurgeon
