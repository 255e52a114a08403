#include "graphsurgeon/io/tensor_encoder.h"

#include "graphsurgeon/io/field_merger.h"
#include "graphsurgeon/io/payload_bytes.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/sparse_payload.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

namespace {

// `fields` without external_data and data_location.
std::string without_location(std::string_view fields) {
  std::string rest;
  for (wire::Reader reader(fields); reader.next();) {
    if (reader.number() != wire::tensor::kExternalData &&
        reader.number() != wire::tensor::kDataLocation) {
      rest += reader.raw();
    }
  }
  return rest;
}

}  // namespace

Place reference_to(const ExternalRange& range, std::string location) {
  Place place;
  place.kind = Place::Kind::kExternal;
  place.location = std::move(location);
  if (range.offset != 0) place.offset = static_cast<uint64_t>(range.offset);
  if (range.length >= 0) place.length = static_cast<uint64_t>(range.length);
  place.other = range.other;
  return place;
}

bool TensorEncoder::stays_sparse(const Payload& initializer) const {
  return initializer.kind() == Payload::Kind::kSparse &&
         placement_.place(initializer, true).kind != Place::Kind::kExternal;
}

void TensorEncoder::tensor(uint32_t field, std::string_view name, const PayloadPtr& values,
                           std::string_view unknown, bool initializer) {
  out_.begin(field);
  if (values) {
    fields_of(name, *values, unknown, placement_.place(*values, initializer));
  }
  out_.end();
}

void TensorEncoder::sparse_tensor(uint32_t field, std::string_view name, const Payload& payload,
                                  bool initializer) {
  namespace f = wire::sparse_tensor;
  const auto& sparse = static_cast<const SparsePayload&>(payload);
  const auto part = [&](uint32_t number, std::string_view part_name, const DecodedTensor& t) {
    if (!t.values) return;
    out_.begin(number);
    const bool indices = number == f::kIndices;
    fields_of(part_name, *t.values, t.unknown,
              indices ? placement_.place_indices(*t.values, initializer)
                      : placement_.place(*t.values, initializer));
    out_.end();
  };
  out_.begin(field);
  FieldMerger fields(out_, sparse.unknown());
  fields.at(f::kValues);
  part(f::kValues, name, sparse.values());
  fields.at(f::kIndices);
  part(f::kIndices, sparse.indices().name, sparse.indices());
  fields.at(f::kDims);
  for (const int64_t dim : sparse.shape()) out_.int64(f::kDims, dim);
  fields.rest();
  out_.end();
}

void TensorEncoder::fields_of(std::string_view name, const Payload& payload,
                              std::string_view unknown, const Place& place) {
  namespace f = wire::tensor;
  const bool moved = place.kind == Place::Kind::kExternal;
  const bool reference =
      place.kind == Place::Kind::kAsItIs && payload.kind() == Payload::Kind::kExternal;
  // The fields of the message as they were read, when the values are where they were.
  const auto* encoded = !moved && payload.kind() == Payload::Kind::kInline
                            ? &static_cast<const EncodedPayload&>(payload)
                            : nullptr;
  std::string stripped;
  if (moved && !unknown.empty()) unknown = stripped = without_location(unknown);
  FieldMerger fields(out_, unknown);
  fields.at(f::kDims);
  for (const int64_t dim : payload.shape()) out_.int64(f::kDims, dim);
  if (payload.dtype() != DataType::kUndefined) {
    fields.at(f::kDataType).int32(f::kDataType, static_cast<int32_t>(payload.dtype()));
  }
  fields.at(f::kInt64Data);
  if (encoded) {
    out_.raw_range(encoded->fields(), f::kFloatData, f::kInt64Data + 1);
  } else if (payload.dtype() == DataType::kString && !moved && !reference) {
    const Array texts = payload.load(name);
    for (const std::string& text : texts.strings()) out_.bytes(f::kStringData, text);
  }
  fields.text(f::kName, name);
  fields.at(f::kRawData);
  if (encoded) {
    out_.raw_range(encoded->fields(), f::kRawData, f::kUint64Data + 1);
  } else if (payload.dtype() != DataType::kString && !moved && !reference) {
    out_.body(f::kRawData, PayloadBody(payload, name));
  }
  if (moved) {
    fields.at(f::kExternalData);
    external_entries(place);
  } else if (reference) {
    const auto& external = static_cast<const ExternalPayload&>(payload);
    fields.at(f::kExternalData);
    if (!external.fields().empty()) {
      out_.raw(external.fields());
    } else {
      const ExternalRange& range = *external.external();
      external_entries(reference_to(range, range.location));
    }
  }
  if (moved || reference) {
    fields.at(f::kDataLocation).varint(f::kDataLocation, f::kLocationExternal);
  }
  fields.rest();
}

void TensorEncoder::external_entries(const Place& place) {
  const auto entry = [&](std::string_view key, std::string_view value) {
    out_.begin(wire::tensor::kExternalData);
    out_.bytes(wire::entry::kKey, key);
    out_.bytes(wire::entry::kValue, value);
    out_.end();
  };
  entry("location", place.location);
  if (place.offset) entry("offset", std::to_string(*place.offset));
  if (place.length) entry("length", std::to_string(*place.length));
  for (const auto& [key, value] : place.other) entry(key, value);
}

}  // namespace graphsurgeon
