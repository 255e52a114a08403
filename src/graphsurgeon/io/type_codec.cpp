#include "graphsurgeon/io/type_codec.h"

#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

namespace {

// `plain` becomes false when the dimension holds more than Dim can say.
Dim decode_dim(std::string_view message, bool& plain) {
  Dim dim;
  int fields = 0;
  for (wire::Reader reader(message); reader.next(); ++fields) {
    switch (reader.key()) {
      case wire::varint_key(wire::dim::kValue):
        dim = Dim(reader.as_int64());
        break;
      case wire::bytes_key(wire::dim::kParam):
        dim = Dim(reader.bytes());
        plain &= !reader.bytes().empty();
        break;
      default:
        plain = false;
    }
  }
  plain &= fields <= 1;
  return dim;
}

DimList decode_shape(std::string_view message, bool& plain) {
  DimList dims;
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::bytes_key(wire::shape::kDim)) {
      dims.push_back(decode_dim(reader.bytes(), plain));
    } else {
      plain = false;
    }
  }
  return dims;
}

// TypeProto.Tensor.
void decode_tensor_type(std::string_view message, DecodedType& type, bool& plain) {
  bool has_type = false;
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::varint_key(wire::tensor_type::kElemType)) {
      plain &= !has_type;
      has_type = true;
      type.dtype = static_cast<DataType>(reader.as_int32());
    } else if (reader.key() == wire::bytes_key(wire::tensor_type::kShape)) {
      plain &= type.shape == nullptr;
      type.shape = std::make_unique<DimList>(decode_shape(reader.bytes(), plain));
    } else {
      plain = false;
    }
  }
  plain &= type.dtype != DataType::kUndefined;
}

TypeKind kind_of_field(uint64_t key) {
  switch (key) {
    case wire::bytes_key(wire::type::kTensor):
      return TypeKind::kTensor;
    case wire::bytes_key(wire::type::kSequence):
      return TypeKind::kSequence;
    case wire::bytes_key(wire::type::kMap):
      return TypeKind::kMap;
    case wire::bytes_key(wire::type::kOpaque):
      return TypeKind::kOpaque;
    case wire::bytes_key(wire::type::kSparseTensor):
      return TypeKind::kSparseTensor;
    case wire::bytes_key(wire::type::kOptional):
      return TypeKind::kOptional;
    default:
      return TypeKind::kNone;
  }
}

}  // namespace

DecodedType decode_type(std::string_view message) {
  DecodedType type;
  bool plain = true;
  int fields = 0;
  for (wire::Reader reader(message); reader.next(); ++fields) {
    const TypeKind kind = kind_of_field(reader.key());
    if (kind == TypeKind::kNone) {
      plain = false;  // a denotation, say
      continue;
    }
    // The last case of a oneof is the one that counts.
    type.kind = kind;
    type.dtype = DataType::kUndefined;
    type.shape.reset();
    if (kind == TypeKind::kTensor) decode_tensor_type(reader.bytes(), type, plain);
  }
  plain &= fields == 1 && type.kind == TypeKind::kTensor;
  if (!plain) type.encoded = message;
  return type;
}

DecodedValueInfo decode_value_info(std::string_view message, const Source& source) {
  DecodedValueInfo info;
  wire::FieldGather unknown;
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(wire::value_info::kName):
        info.name = reader.bytes();
        break;
      case wire::bytes_key(wire::value_info::kType):
        info.type = decode_type(reader.bytes());
        break;
      case wire::bytes_key(wire::value_info::kDocString):
        info.doc = reader.bytes();
        break;
      default:
        unknown.add(reader.raw());
    }
  }
  info.unknown = source.keep(unknown);
  return info;
}

}  // namespace graphsurgeon
