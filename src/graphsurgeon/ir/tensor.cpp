#include "graphsurgeon/ir/tensor.h"

#include <new>

#include "base/error.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/checked_access.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

namespace {

DimList dims_of(const Shape& shape) {
  return DimList(shape.begin(), shape.end());
}

std::unique_ptr<DimList> boxed(std::optional<DimList> shape) {
  return shape ? std::make_unique<DimList>(std::move(*shape)) : nullptr;
}

}  // namespace

Tensor::~Tensor() {
  store().deallocate(extra_, sizeof(Extra));
}

Tensor::Extra& Tensor::extra() {
  if (!extra_) extra_ = new (store().allocate(sizeof(Extra))) Extra;
  return *extra_;
}

void Tensor::edited() {
  edited_ = true;
  store().edited();
}

TensorRef Tensor::variable(Store& store, std::string_view name, DataType dtype,
                           std::optional<DimList> shape) {
  Tensor* tensor = TensorAccess::create(store, store.keep(name));
  TensorRef ref(tensor);
  tensor->dtype_ = dtype;
  tensor->shape_ = boxed(std::move(shape));
  return ref;
}

TensorRef Tensor::constant(Store& store, std::string_view name, PayloadPtr values) {
  TensorRef ref(TensorAccess::create(store, store.keep(name)));
  ref->payload_ = std::move(values);
  return ref;
}

TensorRef Tensor::empty(Store& store) {
  return TensorRef(TensorAccess::create(store, std::string_view("", 0)));
}

void Tensor::set_name(std::string_view name) {
  name_ = store().keep(name);
  if (store().watches_names()) store().introduce_name(name_);
  edited();
}

void Tensor::set_dtype(DataType dtype) {
  if (payload_) {
    if (dtype == payload_->dtype()) return;
    throw polygraphy::Error("the type of the constant '" + std::string(name_) +
                                "' is defined by its values and cannot be set",
                            "Set other values with to_constant().");
  }
  dtype_ = dtype;
  type_kind_ = TypeKind::kTensor;
  type_proto_ = {};
  edited();
}

std::optional<DimList> Tensor::shape() const {
  if (payload_) return dims_of(payload_->shape());
  if (!shape_) return std::nullopt;
  return *shape_;
}

void Tensor::set_shape(std::optional<DimList> shape) {
  if (payload_) {
    if (shape && *shape == dims_of(payload_->shape())) return;
    throw polygraphy::Error("the shape of the constant '" + std::string(name_) +
                                "' is defined by its values and cannot be set",
                            "Set other values with to_constant().");
  }
  shape_ = boxed(std::move(shape));
  type_kind_ = TypeKind::kTensor;
  type_proto_ = {};
  edited();
}

void Tensor::set_type_proto(TypeKind kind, std::string_view encoded) {
  type_kind_ = kind;
  type_proto_ = encoded.empty() ? std::string_view() : store().adopt(encoded);
  if (kind != TypeKind::kTensor) {
    dtype_ = DataType::kUndefined;
    shape_.reset();
  }
  edited();
}

Tensor& Tensor::to_constant(PayloadPtr values) {
  payload_ = std::move(values);
  dtype_ = DataType::kUndefined;
  shape_.reset();
  type_proto_ = {};
  type_kind_ = TypeKind::kTensor;
  declared_ = false;
  edited();
  return *this;
}

Tensor& Tensor::to_variable_of_same_shape(DataType dtype) {
  return to_variable(dtype, shape());
}

Tensor& Tensor::to_variable(DataType dtype, std::optional<DimList> shape) {
  if (dtype == DataType::kUndefined) dtype = this->dtype();
  // The initializer goes; its document stays.
  const std::string doc(doc_string());
  payload_.reset();
  if (extra_) extra_->initializer_unknown = {};
  if (!doc.empty()) extra().doc = store().keep(doc);
  dtype_ = dtype;
  shape_ = boxed(std::move(shape));
  type_proto_ = {};
  type_kind_ = TypeKind::kTensor;
  declared_ = false;
  edited();
  return *this;
}

void Tensor::set_dim(int64_t axis, Dim dim) {
  if (payload_ || !shape_) {
    throw polygraphy::Error(
        "the shape of '" + std::string(name_) + "' " +
            (payload_ ? "is defined by its values" : "is unknown") + ", so dimension " +
            std::to_string(axis) + " cannot be set",
        payload_ ? "Set other values with to_constant()." : "Set a shape with set_shape().");
  }
  const auto rank = static_cast<int64_t>(shape_->size());
  if (axis < -rank || axis >= rank) {
    throw polygraphy::Error("'" + std::string(name_) + "' has " + std::to_string(rank) +
                            " dimensions, but no dimension " + std::to_string(axis));
  }
  (*shape_)[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = std::move(dim);
  type_kind_ = TypeKind::kTensor;
  type_proto_ = {};
  edited();
}

Array Tensor::values() const {
  if (!payload_) {
    throw polygraphy::Error("'" + std::string(name_) + "' is a variable and has no values");
  }
  return payload_->load(name_);
}

void* Tensor::edit_bytes(size_t element) {
  const DataType type = dtype();
  const Array old = values();
  if (type == DataType::kString || polygraphy::is_packed(type)) {
    throw polygraphy::Error("values of type " + std::string(polygraphy::name_of(type)) +
                                " cannot be edited in place ('" + std::string(name_) + "')",
                            "Set other values with to_constant().");
  }
  if (element * 8 != static_cast<size_t>(polygraphy::bit_width(type))) {
    throw polygraphy::Error("'" + std::string(name_) + "' is of type " +
                            std::string(polygraphy::name_of(type)) + ", with elements of " +
                            std::to_string(polygraphy::bit_width(type) / 8) + " bytes, not " +
                            std::to_string(element));
  }
  Array copy = old.clone();
  void* const bytes = copy.mutable_data();
  payload_ = owned_payload(std::move(copy));
  edited();
  return bytes;
}

void Tensor::add_producer(Node& node) {
  node.outputs().append(TensorRef(this));
}

void Tensor::add_consumer(Node& node) {
  node.inputs().append(TensorRef(this));
}

void Tensor::replace_in_consumers(TensorRef other) {
  if (!other) {
    throw polygraphy::Error("nodes cannot read a null tensor instead of '" + std::string(name_) +
                            "'");
  }
  if (other.get() == this) return;
  const TensorRef keep(this);
  for (const NodeRef& node : consumers_.snapshot()) {
    TensorList& inputs = node->inputs();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == this) inputs.set(i, other);
    }
  }
}

void Tensor::replace_values(PayloadPtr values) {
  if (!payload_ || values->dtype() != payload_->dtype() || values->shape() != payload_->shape()) {
    throw polygraphy::Error("the values of '" + std::string(name_) +
                                "' cannot be replaced by values of another type or shape",
                            "Set other values with to_constant().");
  }
  payload_ = std::move(values);
  edited();
}

// A constant's document and unknown fields come from its TensorProto, where doc_string is one of
// the fields kept encoded.
std::string_view Tensor::doc_string() const {
  if (!extra_) return {};
  if (!payload_) return extra_->doc;
  std::string_view doc;
  for (wire::Reader reader(extra_->initializer_unknown); reader.next();) {
    if (reader.key() == wire::bytes_key(wire::tensor::kDocString)) doc = reader.bytes();
  }
  return doc;
}

void Tensor::set_doc_string(std::string_view text) {
  if (!payload_) {
    extra().doc = store().keep(text);
    return edited();
  }
  const std::string_view old = extra().initializer_unknown;
  const std::string fields = wire::encoded([&](wire::Writer& out) {
    out.raw_range(old, 0, wire::tensor::kDocString);
    out.bytes(wire::tensor::kDocString, text);
    out.raw_range(old, wire::tensor::kDocString + 1, UINT32_MAX);
  });
  extra().initializer_unknown = store().keep(fields);
  edited();
}

std::string_view Tensor::unknown_fields() const {
  if (!extra_) return {};
  return payload_ ? extra_->initializer_unknown : extra_->unknown;
}

void Tensor::set_unknown_fields(std::string_view encoded) {
  (payload_ ? extra().initializer_unknown : extra().unknown) = store().adopt(encoded);
  edited();
}

bool same_name(const Tensor& a, const Tensor& b) {
  return a.name() == b.name();
}

Tensor* Tensor::i(size_t tensor, size_t producer) const {
  const Node& node = *checked_node(*this, producers_, producer, "producer");
  return checked_tensor(node, node.inputs(), tensor, "input");
}

Tensor* Tensor::o(size_t consumer, size_t tensor) const {
  const Node& node = *checked_node(*this, consumers_, consumer, "consumer");
  return checked_tensor(node, node.outputs(), tensor, "output");
}

}  // namespace graphsurgeon
