#include "graphsurgeon/ir/payloads/tensor_codec.h"

#include <utility>

#include "base/error.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/ir/payloads/sparse_payload.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

namespace {

namespace field = wire::tensor;

void add_dims(const wire::Reader& reader, Shape& dims) {
  if (reader.type() == wire::WireType::kVarint) {
    dims.push_back(reader.as_int64());
  } else {
    dims.reserve(dims.size() + wire::count_varints(reader.bytes()));
    wire::for_each_varint(reader.bytes(),
                          [&](uint64_t dim) { dims.push_back(static_cast<int64_t>(dim)); });
  }
}

// The fields of a TensorProto.
struct TensorFields {
  std::string_view name = {};
  Shape dims = {};
  int32_t type = 0;
  bool external = false;
  wire::FieldGather data = {}, entries = {}, unknown = {};
};

TensorFields read_fields(std::string_view message) {
  TensorFields fields;
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::varint_key(field::kDims):
      case wire::bytes_key(field::kDims):
        add_dims(reader, fields.dims);
        break;
      case wire::varint_key(field::kDataType):
        fields.type = reader.as_int32();
        if (fields.type == 0) fields.unknown.add(reader.raw());  // that it is there
        break;
      case wire::bytes_key(field::kName):
        fields.name = reader.bytes();
        break;
      case wire::bytes_key(field::kRawData):
      case wire::bytes_key(field::kFloatData):
      case wire::fixed32_key(field::kFloatData):
      case wire::bytes_key(field::kInt32Data):
      case wire::varint_key(field::kInt32Data):
      case wire::bytes_key(field::kStringData):
      case wire::bytes_key(field::kInt64Data):
      case wire::varint_key(field::kInt64Data):
      case wire::bytes_key(field::kDoubleData):
      case wire::fixed64_key(field::kDoubleData):
      case wire::bytes_key(field::kUint64Data):
      case wire::varint_key(field::kUint64Data):
        fields.data.add(reader.raw());
        break;
      case wire::bytes_key(field::kExternalData):
        fields.entries.add(reader.raw());
        break;
      case wire::varint_key(field::kDataLocation):
        fields.external = reader.varint() == field::kLocationExternal;
        if (!fields.external) fields.unknown.add(reader.raw());
        break;
      default:
        fields.unknown.add(reader.raw());
    }
  }
  return fields;
}

PayloadPtr external_values(DataType dtype, Shape dims, const wire::FieldGather& entries,
                           const std::shared_ptr<const Source>& source) {
  const std::string_view fields = source->keep(entries);
  std::string problem;
  ExternalRange range = decode_external(fields, &problem);
  range.folder = source->external->folder();
  return std::make_shared<ExternalPayload>(dtype, std::move(dims), std::move(range),
                                           source->external, fields, std::move(problem), source);
}

}  // namespace

DecodedTensor decode_tensor(std::string_view message, const std::shared_ptr<const Source>& source) {
  TensorFields fields = read_fields(message);
  DecodedTensor result;
  result.name = fields.name;
  // Fields that contradict data_location are not the values, but are kept; they outlive the gather.
  const std::string_view ignored = source->keep(fields.external ? fields.data : fields.entries);
  for (wire::Reader reader(ignored); reader.next();) fields.unknown.add(reader.raw());

  try {
    const auto dtype = static_cast<DataType>(fields.type);
    result.values = fields.external
                        ? external_values(dtype, std::move(fields.dims), fields.entries, source)
                        : std::make_shared<EncodedPayload>(dtype, std::move(fields.dims),
                                                           source->keep(fields.data), source);
  } catch (const wire::ParseError&) {
    throw;
  } catch (const polygraphy::FormatError& error) {
    throw wire::ParseError(message.data(), error.what());
  }
  result.unknown = source->keep(fields.unknown);
  return result;
}

DecodedTensor decode_sparse_tensor(std::string_view message,
                                   const std::shared_ptr<const Source>& source) {
  DecodedTensor values, indices, result;
  Shape dims;
  wire::FieldGather unknown;
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(wire::sparse_tensor::kValues):
        values = decode_tensor(reader.bytes(), source);
        break;
      case wire::bytes_key(wire::sparse_tensor::kIndices):
        indices = decode_tensor(reader.bytes(), source);
        break;
      case wire::varint_key(wire::sparse_tensor::kDims):
      case wire::bytes_key(wire::sparse_tensor::kDims):
        add_dims(reader, dims);
        break;
      default:
        unknown.add(reader.raw());
    }
  }
  result.name = values.name;
  const DataType dtype = values.values ? values.values->dtype() : DataType::kUndefined;
  try {
    result.values =
        std::make_shared<SparsePayload>(dtype, std::move(dims), std::move(values),
                                        std::move(indices), source->keep(unknown), source);
  } catch (const polygraphy::FormatError& error) {
    throw wire::ParseError(message.data(), error.what());
  }
  return result;
}

bool is_external(std::string_view message) {
  bool external = false;
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::varint_key(field::kDataLocation)) {
      external = reader.varint() == field::kLocationExternal;
    }
  }
  return external;
}

bool is_external_sparse(std::string_view message) {
  bool external = false;
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::bytes_key(wire::sparse_tensor::kValues) ||
        reader.key() == wire::bytes_key(wire::sparse_tensor::kIndices)) {
      external |= is_external(reader.bytes());
    }
  }
  return external;
}

}  // namespace graphsurgeon
