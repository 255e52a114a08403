#include "graphsurgeon/onnx/inference/type_message.h"

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <utility>

namespace graphsurgeon {

namespace {

using onnx::TensorShapeProto;
using onnx::TypeProto;

void forget_negative_dims(TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return;
  for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
    if (dim.has_dim_value() && dim.dim_value() < 0) dim.clear_dim_value();
  }
}

void set_shape(const DimList& dims, TensorShapeProto& out) {
  out.mutable_dim()->Reserve(static_cast<int>(dims.size()));
  for (const Dim& dim : dims) {
    auto* one = out.add_dim();
    if (dim.is_static()) {
      one->set_dim_value(dim.value());
    } else if (!dim.param().empty()) {
      one->set_dim_param(dim.param());
    }
  }
}

TypeKind kind_of(const TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return TypeKind::kTensor;
    case TypeProto::kSequenceType:
      return TypeKind::kSequence;
    case TypeProto::kMapType:
      return TypeKind::kMap;
    case TypeProto::kOptionalType:
      return TypeKind::kOptional;
    case TypeProto::kSparseTensorType:
      return TypeKind::kSparseTensor;
    case TypeProto::kOpaqueType:
      return TypeKind::kOpaque;
    default:
      return TypeKind::kNone;
  }
}

Dim dim_of(const TensorShapeProto::Dimension& dim) {
  if (dim.has_dim_value()) return {dim.dim_value()};
  if (dim.has_dim_param() && !dim.dim_param().empty()) return {std::string_view(dim.dim_param())};
  return {};
}

bool says_nothing(const TensorShapeProto::Dimension& dim) {
  return !dim.has_dim_value() && dim.dim_param().empty();
}

bool is_same(const TensorShapeProto::Dimension& dim, const Dim& known) {
  if (dim.has_dim_value()) return known.has_value() && known.value() == dim.dim_value();
  return !known.has_value() && dim.dim_param() == known.param();
}

// Does the message say more than `known`?
bool adds_to(const TensorShapeProto& shape, const DimList* known) {
  if (known == nullptr || static_cast<size_t>(shape.dim_size()) != known->size()) return true;
  for (size_t i = 0; i < known->size(); ++i) {
    const auto& dim = shape.dim(static_cast<int>(i));
    if (!says_nothing(dim) && !is_same(dim, (*known)[i])) return true;
  }
  return false;
}

// Files may have the fields in another order.
std::string encoded_anew(std::string_view encoded) {
  TypeProto type;
  if (!type.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()))) return {};
  return type.SerializeAsString();
}

// Whether it says which elements the innermost tensors have.
bool knows_elements(const TypeProto& type) {
  const TypeProto* inner = &type;
  while (true) {
    switch (inner->value_case()) {
      case TypeProto::kSequenceType:
        inner = &inner->sequence_type().elem_type();
        break;
      case TypeProto::kOptionalType:
        inner = &inner->optional_type().elem_type();
        break;
      case TypeProto::kMapType:
        inner = &inner->map_type().value_type();
        break;
      case TypeProto::kTensorType:
        return inner->tensor_type().elem_type() != onnx::TensorProto::UNDEFINED;
      default:
        return inner->value_case() != TypeProto::VALUE_NOT_SET;
    }
  }
}

}  // namespace

std::optional<DimList> dims_of(const TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) {
    return std::nullopt;
  }
  DimList dims;
  dims.reserve(static_cast<size_t>(type->tensor_type().shape().dim_size()));
  for (const auto& dim : type->tensor_type().shape().dim()) dims.push_back(dim_of(dim));
  return dims;
}

void make_dense(TypeProto& type) {
  if (!type.has_sparse_tensor_type()) return;
  const TypeProto::SparseTensor sparse = type.sparse_tensor_type();
  type.mutable_tensor_type()->set_elem_type(sparse.elem_type());
  if (sparse.has_shape()) *type.mutable_tensor_type()->mutable_shape() = sparse.shape();
}

TypeProto* type_message(const Tensor& tensor, google::protobuf::Arena& arena) {
  const auto make = [&] { return google::protobuf::Arena::CreateMessage<TypeProto>(&arena); };
  const DimList* shape = tensor.declared_shape();
  if (!tensor.type_proto().empty()) {
    TypeProto* type = make();
    const std::string_view encoded = tensor.type_proto();
    if (!type->ParseFromArray(encoded.data(), static_cast<int>(encoded.size()))) return nullptr;
    forget_negative_dims(*type);
    return type->value_case() == TypeProto::VALUE_NOT_SET ? nullptr : type;
  }
  if (tensor.type_kind() != TypeKind::kTensor) return nullptr;
  if (tensor.declared_dtype() != DataType::kUndefined || shape != nullptr) {
    TypeProto* type = make();
    auto& out = *type->mutable_tensor_type();
    out.set_elem_type(static_cast<int>(tensor.declared_dtype()));
    if (shape != nullptr) set_shape(*shape, *out.mutable_shape());
    return type;
  }
  if (!tensor.is_constant()) return nullptr;
  TypeProto* type = make();
  auto& out = *type->mutable_tensor_type();
  out.set_elem_type(static_cast<int>(tensor.payload()->dtype()));
  auto* values_shape = out.mutable_shape();
  for (const int64_t dim : tensor.payload()->shape()) values_shape->add_dim()->set_dim_value(dim);
  return type;
}

bool write_type(const TypeProto& type, Tensor& tensor) {
  if (tensor.is_constant() || type.value_case() == TypeProto::VALUE_NOT_SET) return false;
  if (!type.has_tensor_type()) {
    if (!knows_elements(type)) return false;
    const std::string encoded = type.SerializeAsString();
    if (kind_of(type) == tensor.type_kind() && encoded == encoded_anew(tensor.type_proto())) {
      return false;
    }
    tensor.set_type_proto(kind_of(type), tensor.store().keep(encoded));
    return true;
  }
  const auto dtype = static_cast<DataType>(type.tensor_type().elem_type());
  const bool new_dtype = dtype != DataType::kUndefined && dtype != tensor.dtype();
  const DimList* known = tensor.declared_shape();
  const TensorShapeProto& shape = type.tensor_type().shape();
  const bool new_shape = type.tensor_type().has_shape() && adds_to(shape, known);
  if (!new_dtype && !new_shape) return false;

  const bool has_denotation = !tensor.type_proto().empty();
  if (new_shape) {
    DimList dims;
    dims.reserve(static_cast<size_t>(shape.dim_size()));
    for (const auto& dim : shape.dim()) dims.push_back(dim_of(dim));
    tensor.set_shape(std::move(dims));
  }
  if (new_dtype) tensor.set_dtype(dtype);
  if (has_denotation && knows_elements(type)) {
    tensor.set_type_proto(TypeKind::kTensor, tensor.store().keep(type.SerializeAsString()));
  }
  return true;
}

}  // namespace graphsurgeon
