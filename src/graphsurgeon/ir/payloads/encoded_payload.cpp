#include "graphsurgeon/ir/payloads/encoded_payload.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

namespace {

namespace field = wire::tensor;

// How many values the field holds; cheap, so that it can be compared before anything is allocated.
struct Tally {
  int64_t values = 0;
  int pieces = 0;
  std::string_view only;  // the packed run when there is just one
};

Tally tally(std::string_view fields, uint32_t number, uint32_t width) {
  Tally result;
  for (wire::Reader reader(fields); reader.next();) {
    if (reader.number() != number) continue;
    if (reader.type() == wire::WireType::kBytes) {
      ++result.pieces;
      result.only = reader.bytes();
      result.values += static_cast<int64_t>(width ? reader.bytes().size() / width
                                                  : wire::count_varints(reader.bytes()));
      if (width && reader.bytes().size() % width != 0) {
        throw wire::ParseError(reader.position(), "a packed field that does not end with a value");
      }
    } else {
      result.pieces += 2;  // not one packed run
      ++result.values;
    }
  }
  return result;
}

// Stores the low bits of each varint as elements of type T.
template <typename T>
void copy_varints(std::string_view fields, uint32_t number, std::byte* out) {
  const auto put = [&](uint64_t value) {
    const T element = static_cast<T>(value);
    std::memcpy(out, &element, sizeof(T));
    out += sizeof(T);
  };
  for (wire::Reader reader(fields); reader.next();) {
    if (reader.number() != number) continue;
    if (reader.type() == wire::WireType::kBytes) {
      wire::for_each_varint(reader.bytes(), put);
    } else if (reader.type() == wire::WireType::kVarint) {
      put(reader.varint());
    }
  }
}

template <typename T>
void copy_fixed(std::string_view fields, uint32_t number, std::byte* out) {
  for (wire::Reader reader(fields); reader.next();) {
    if (reader.number() != number) continue;
    if (reader.type() == wire::WireType::kBytes) {
      if (!reader.bytes().empty()) std::memcpy(out, reader.bytes().data(), reader.bytes().size());
      out += reader.bytes().size();
    } else {
      const T value = static_cast<T>(reader.varint());
      std::memcpy(out, &value, sizeof(T));
      out += sizeof(T);
    }
  }
}

}  // namespace

uint32_t typed_field(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat32:
    case DataType::kComplex64:
      return field::kFloatData;
    case DataType::kFloat64:
    case DataType::kComplex128:
      return field::kDoubleData;
    case DataType::kInt64:
      return field::kInt64Data;
    case DataType::kUint32:
    case DataType::kUint64:
      return field::kUint64Data;
    case DataType::kString:
      return field::kStringData;
    default:
      return polygraphy::is_known(dtype) ? uint32_t{field::kInt32Data} : 0;
  }
}

EncodedPayload::EncodedPayload(DataType dtype, Shape shape, std::string_view fields,
                               std::shared_ptr<const Source> source)
    : Payload(Kind::kInline, dtype, std::move(shape)),
      fields_(fields),
      source_(std::move(source)) {}

std::string_view EncodedPayload::raw_data() const {
  std::string_view raw;
  for (wire::Reader reader(fields_); reader.next();) {
    if (reader.key() == wire::bytes_key(field::kRawData)) raw = reader.bytes();
  }
  return raw;
}

bool EncodedPayload::stripped() const {
  if (size() == 0 || dtype() == DataType::kString) return false;
  try {
    for (wire::Reader reader(fields_); reader.next();) {
      if (reader.type() != wire::WireType::kBytes || !reader.bytes().empty()) return false;
    }
  } catch (const wire::ParseError&) {
    return false;  // something is there: loading reports it
  }
  return true;
}

bool is_stripped(const Payload& payload) {
  return payload.kind() == Payload::Kind::kInline &&
         static_cast<const EncodedPayload&>(payload).stripped();
}

PayloadPtr stripped_payload(DataType dtype, Shape shape) {
  static constexpr char kEmptyRawData[] = {field::kRawData << 3 | 2, 0};
  return std::make_shared<EncodedPayload>(dtype, std::move(shape),
                                          std::string_view(kEmptyRawData, 2), nullptr);
}

int64_t EncodedPayload::nbytes() const {
  if (dtype() != DataType::kString) return Payload::nbytes();
  int64_t bytes = 0;
  for (wire::Reader reader(fields_); reader.next();) {
    if (reader.key() == wire::bytes_key(field::kStringData)) bytes += std::ssize(reader.bytes());
  }
  return bytes;
}

void EncodedPayload::fail(std::string_view tensor, const std::string& reason) const {
  const std::string where =
      source_ ? source_->where(fields_.empty() ? nullptr : fields_.data()) + ": " : std::string();
  throw polygraphy::FormatError(fmt::format("{}tensor '{}' ({}[{}]): {}", where, tensor,
                                            polygraphy::name_of(dtype()), fmt::join(shape(), ", "),
                                            reason));
}

Array EncodedPayload::load(std::string_view tensor) const {
  if (!polygraphy::is_known(dtype()) || dtype() == DataType::kUndefined) {
    fail(tensor,
         fmt::format("this version does not support element type {}", static_cast<int>(dtype())));
  }
  try {
    if (dtype() == DataType::kString) return load_strings(tensor);
    const std::string_view raw = raw_data();
    if (raw.data() == nullptr) return load_typed(tensor, typed_field(dtype()));
    if (raw.empty() && stripped()) {
      fail(tensor, fmt::format("no values, but the shape needs {}; they may be stripped (`surgeon "
                               "weight-reconstruct` generates others)",
                               size()));
    }
    if (std::ssize(raw) != nbytes()) {
      fail(tensor, fmt::format("raw_data holds {} bytes, but type and shape need {}", raw.size(),
                               nbytes()));
    }
    return without_padding(Array::view(dtype(), shape(), raw.data(), source_));
  } catch (const wire::ParseError& error) {
    fail(tensor, error.what());
  }
}

Array EncodedPayload::load_strings(std::string_view tensor) const {
  int64_t found = 0;
  for (wire::Reader reader(fields_); reader.next();) {
    found += reader.key() == wire::bytes_key(field::kStringData);
  }
  if (found != size()) {
    fail(tensor, fmt::format("string_data holds {} texts, but the shape needs {}", found, size()));
  }
  std::vector<std::string> texts;
  texts.reserve(static_cast<size_t>(found));
  for (wire::Reader reader(fields_); reader.next();) {
    if (reader.key() == wire::bytes_key(field::kStringData)) texts.emplace_back(reader.bytes());
  }
  return Array::from_strings(shape(), std::move(texts));
}

Array EncodedPayload::load_typed(std::string_view tensor, uint32_t number) const {
  const bool complex = dtype() == DataType::kComplex64 || dtype() == DataType::kComplex128;
  const bool floats = number == field::kFloatData;
  const bool doubles = number == field::kDoubleData;
  const Tally found = tally(fields_, number, floats ? 4 : doubles ? 8 : 0);
  // Complex numbers are two values each; packed types share one value among the elements of a byte.
  const int64_t needed = complex ? 2 * size() : polygraphy::is_packed(dtype()) ? nbytes() : size();
  if (found.values != needed) {
    const char* name = floats                         ? "float_data"
                       : doubles                      ? "double_data"
                       : number == field::kInt64Data  ? "int64_data"
                       : number == field::kUint64Data ? "uint64_data"
                                                      : "int32_data";
    fail(tensor,
         fmt::format("{} holds {} values, but type and shape need {}", name, found.values, needed));
  }
  if ((floats || doubles) && found.pieces == 1) {
    return Array::view(dtype(), shape(), found.only.data(), source_);
  }
  Array array = Array::uninitialized(dtype(), shape());
  std::byte* out = array.mutable_data();
  if (floats) {
    copy_fixed<uint32_t>(fields_, number, out);
  } else if (doubles) {
    copy_fixed<uint64_t>(fields_, number, out);
  } else {
    switch (polygraphy::bit_width(dtype())) {
      case 64:
        copy_varints<uint64_t>(fields_, number, out);
        break;
      case 32:
        copy_varints<uint32_t>(fields_, number, out);
        break;
      case 16:
        copy_varints<uint16_t>(fields_, number, out);
        break;
      default:
        copy_varints<uint8_t>(fields_, number, out);
    }
  }
  return without_padding(std::move(array));
}

}  // namespace graphsurgeon
