#include "polygraphy/data/tensors/graph_metadata.h"

#include <string>
#include <utility>

#include "graphsurgeon/io/type_codec.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace polygraphy {
namespace {

using graphsurgeon::Tensor;
using graphsurgeon::TypeKind;
namespace wire = graphsurgeon::wire;

// The encoded type that an encoded sequence or optional holds; empty when it does not say.
std::string_view held_by(std::string_view type) {
  std::string_view held;
  for (wire::Reader outer(type); outer.next();) {
    const bool container = outer.key() == wire::bytes_key(wire::type::kSequence) ||
                           outer.key() == wire::bytes_key(wire::type::kOptional);
    if (!container) continue;
    for (wire::Reader inner(outer.bytes()); inner.next();) {
      if (inner.key() == wire::bytes_key(wire::tensor_type::kElemType)) held = inner.bytes();
    }
  }
  return held;
}

ValueKind kind_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kSequence:
      return ValueKind::kSequence;
    case TypeKind::kMap:
      return ValueKind::kMap;
    case TypeKind::kOptional:
      return ValueKind::kOptional;
    default:
      return ValueKind::kTensor;
  }
}

// Empty if the type is damaged, which the graph library reports.
TensorInfo info_of_container(const Tensor& tensor) {
  try {
    graphsurgeon::DecodedType type;
    type.kind = tensor.type_kind();
    bool sequence = false;
    for (std::string_view encoded = tensor.type_proto();
         type.kind == TypeKind::kSequence || type.kind == TypeKind::kOptional;) {
      if (sequence) return {};  // of sequences
      sequence = type.kind == TypeKind::kSequence;
      encoded = held_by(encoded);
      if (encoded.empty()) return {};
      type = graphsurgeon::decode_type(encoded);
    }
    if (type.kind != TypeKind::kTensor) return {};
    TensorInfo info;
    info.dtype = type.dtype;
    if (type.shape) (sequence ? info.item_shape : info.shape) = *type.shape;
    return info;
  } catch (const wire::ParseError&) {
    return {};
  }
}

}  // namespace

Metadata metadata_of_variables(const std::vector<graphsurgeon::TensorRef>& tensors) {
  Metadata metadata;
  for (const graphsurgeon::TensorRef& tensor : tensors) {
    if (tensor->is_constant()) continue;
    const TypeKind kind = tensor->type_kind();
    const bool container = kind == TypeKind::kSequence || kind == TypeKind::kOptional;
    TensorInfo info =
        container ? info_of_container(*tensor) : TensorInfo{tensor->dtype(), tensor->shape(), {}};
    info.kind = kind_of(kind);
    metadata.set(std::string(tensor->name()), std::move(info));
  }
  return metadata;
}

}  // namespace polygraphy
