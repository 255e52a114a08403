#include "formats/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"

namespace polygraphy {
namespace {

constexpr size_t kPrefix = 8;
constexpr uint64_t kMaxHeader = uint64_t{100} << 20;  // the original reader's limit
constexpr uint64_t kAlignment = 64;

struct TypeName {
  std::string_view name;
  DataType type;
};
constexpr std::array kTypes = {
    TypeName{"BOOL", DataType::kBool},
    TypeName{"U8", DataType::kUint8},
    TypeName{"I8", DataType::kInt8},
    TypeName{"U16", DataType::kUint16},
    TypeName{"I16", DataType::kInt16},
    TypeName{"U32", DataType::kUint32},
    TypeName{"I32", DataType::kInt32},
    TypeName{"U64", DataType::kUint64},
    TypeName{"I64", DataType::kInt64},
    TypeName{"F16", DataType::kFloat16},
    TypeName{"BF16", DataType::kBfloat16},
    TypeName{"F32", DataType::kFloat32},
    TypeName{"F64", DataType::kFloat64},
    TypeName{"C64", DataType::kComplex64},
    TypeName{"F8_E4M3", DataType::kFloat8E4M3FN},
    TypeName{"F8_E5M2", DataType::kFloat8E5M2},
    TypeName{"F8_E8M0", DataType::kFloat8E8M0},
    TypeName{"F4", DataType::kFloat4E2M1},
    TypeName{"F6_E2M3", DataType::kFloat6E2M3},
    TypeName{"F6_E3M2", DataType::kFloat6E3M2},
};

std::string_view type_name(DataType type) {
  for (const TypeName& known : kTypes) {
    if (known.type == type) return known.name;
  }
  return {};
}

uint64_t header_length(std::span<const std::byte> file) {
  uint64_t length;
  std::memcpy(&length, file.data(), sizeof(length));
  return length;
}

[[noreturn]] void fail(const std::string& what, const std::string& why) {
  throw FormatError(what + ": " + why);
}

// One entry of the header: {"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}.
struct Entry {
  std::string dtype;
  Shape shape;
  std::array<uint64_t, 2> range{};
};

Entry read_entry(JsonReader& json, const std::string& what) {
  Entry entry;
  size_t offsets = 0;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "dtype") {
      entry.dtype = json.read_string();
    } else if (key == "shape") {
      constexpr size_t kMaxRank = 64;
      json.enter_array();
      while (json.next_element()) {
        if (entry.shape.size() == kMaxRank) fail(what, "more than 64 dimensions.");
        entry.shape.push_back(json.read_integer());
      }
    } else if (key == "data_offsets") {
      json.enter_array();
      for (; json.next_element(); ++offsets) {
        const int64_t value = json.read_integer();
        if (offsets >= 2 || value < 0) fail(what, "data_offsets are not two positions.");
        entry.range[offsets] = static_cast<uint64_t>(value);
      }
    } else {
      json.skip_value();
    }
  }
  if (entry.dtype.empty() || offsets != 2) fail(what, "dtype or data_offsets are missing.");
  return entry;
}

DataType type_of(const Entry& entry, const std::string& what) {
  for (const TypeName& known : kTypes) {
    if (known.name == entry.dtype) return known.type;
  }
  throw FormatError(what + ": data type '" + entry.dtype + "' is not supported.",
                    "Supported: BOOL, U8 to U64, I8 to I64, BF16, F16 to F64, C64, F8_E4M3, "
                    "F8_E5M2, F8_E8M0, F6_E2M3, F6_E3M2 and F4.");
}

StoredTensor stored(const Entry& entry, std::string name, std::span<const std::byte> data,
                    const std::shared_ptr<const void>& owner, const std::string& what) {
  const DataType type = type_of(entry, what);
  const auto [begin, end] = entry.range;
  if (begin > end || end > data.size()) {
    fail(what, "truncated: its values are at bytes " + std::to_string(begin) + " to " +
                   std::to_string(end) + ", but " + std::to_string(data.size()) +
                   " bytes follow the header.");
  }
  const auto needed = static_cast<uint64_t>(storage_bytes(type, element_count(entry.shape)));
  if (needed != end - begin) {
    fail(what, entry.dtype + " of shape " + py_tuple_repr(entry.shape) + " needs " +
                   std::to_string(needed) + " bytes, but has " + std::to_string(end - begin) + ".");
  }
  const std::byte* const at = data.data() + begin;
  return {std::move(name), [type, shape = entry.shape, at, owner] {
            const auto unit = static_cast<size_t>(std::max(bit_width(type) / 8, 1));
            const size_t alignment = type == DataType::kComplex64 ? unit / 2 : unit;
            const Array view = Array::view(type, shape, at, owner);
            return reinterpret_cast<uintptr_t>(at) % alignment == 0 ? view : view.clone();
          }};
}

}  // namespace

bool is_safetensors(std::span<const std::byte> file) {
  if (file.size() < kPrefix + 2) return false;
  const uint64_t length = header_length(file);
  return length >= 2 && length <= kMaxHeader && length <= file.size() - kPrefix &&
         file[kPrefix] == std::byte{'{'};
}

TensorFile read_safetensors(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                            const std::string& path) {
  if (file.size() < kPrefix) fail(path, "too short for a safetensors file.");
  const uint64_t length = header_length(file);
  if (length > kMaxHeader || length > file.size() - kPrefix) {
    fail(path, "not a safetensors file, or truncated: it claims a header of " +
                   std::to_string(length) + " bytes.");
  }
  const std::span<const std::byte> data = file.subspan(kPrefix + length);
  JsonReader json({reinterpret_cast<const char*>(file.data()) + kPrefix, length},
                  path + " (header)");
  TensorFile result;
  std::set<std::string> seen;
  json.enter_object();
  for (std::string name; json.next_key(name);) {
    const std::string what = path + ": '" + name + "'";
    if (!seen.insert(name).second) fail(what, "occurs twice.");
    if (name != "__metadata__") {
      const Entry entry = read_entry(json, what);
      try {
        result.tensors.push_back(stored(entry, name, data, owner, what));
      } catch (const FormatError& error) {
        if (std::string_view(error.what()).starts_with(what)) throw;
        fail(what, error.what());  // sizes that make no sense
      }
      continue;
    }
    json.enter_object();
    for (std::string key; json.next_key(key);) {
      if (key == "polygraphy") {
        result.metadata = json.read_string();
      } else {
        json.skip_value();
      }
    }
  }
  json.finish();
  return result;
}

bool safetensors_has(const Array& array) {
  const bool whole = !is_packed(array.dtype()) || array.size() % 8 == 0 ||
                     array.size() * bit_width(array.dtype()) % 8 == 0;
  return whole && !type_name(array.dtype()).empty();
}

Array to_bytes(const Array& array) {
  if (array.dtype() != DataType::kString) {
    const Array plain = array.contiguous_aligned(1);
    const auto bytes = plain.bytes();
    return Array::view(DataType::kUint8, {static_cast<int64_t>(bytes.size())}, bytes.data(),
                       std::make_shared<Array>(plain));
  }
  const std::span<const std::string> texts = array.strings();
  uint64_t size = 0;
  for (const std::string& text : texts) size += sizeof(uint64_t) + text.size();
  Array bytes = Array::uninitialized(DataType::kUint8, {static_cast<int64_t>(size)});
  std::byte* lengths = bytes.mutable_data();
  std::byte* out = lengths + texts.size() * sizeof(uint64_t);
  for (const std::string& text : texts) {
    const uint64_t length = text.size();
    std::memcpy(lengths, &length, sizeof(length));
    lengths += sizeof(length);
    if (length > 0) std::memcpy(out, text.data(), length);
    out += length;
  }
  return bytes;
}

Array from_bytes(const Array& bytes, DataType type, Shape shape, const std::string& what) {
  const auto size = static_cast<uint64_t>(bytes.nbytes());
  const int64_t count = element_count(shape);
  if (bytes.dtype() != DataType::kUint8 || !bytes.contiguous()) {
    fail(what, "values of " + std::string(name_of(type)) + " must be stored as bytes.");
  }
  if (type != DataType::kString) {
    const auto needed = static_cast<uint64_t>(storage_bytes(type, count));
    if (needed != size) {
      fail(what, std::string(name_of(type)) + " of shape " + py_tuple_repr(shape) + " needs " +
                     std::to_string(needed) + " bytes, but has " + std::to_string(size) + ".");
    }
    const Array plain =
        bytes.contiguous_aligned(static_cast<size_t>(std::max(bit_width(type) / 8, 1)));
    return Array::view(type, std::move(shape), plain.data(), std::make_shared<Array>(plain));
  }
  const std::span<const std::byte> data = bytes.bytes();
  if (static_cast<uint64_t>(count) > size / sizeof(uint64_t))
    fail(what, "its texts are truncated.");
  std::vector<std::string> texts(static_cast<size_t>(count));
  size_t at = texts.size() * sizeof(uint64_t);
  for (size_t i = 0; i < texts.size(); ++i) {
    uint64_t length;
    std::memcpy(&length, data.data() + i * sizeof(length), sizeof(length));
    if (length > size - at) fail(what, "its texts are truncated.");
    texts[i].assign(reinterpret_cast<const char*>(data.data()) + at, length);
    at += length;
  }
  return Array::from_strings(std::move(shape), std::move(texts));
}

SafetensorsWriter::SafetensorsWriter(const std::string& path, size_t room) : file_(path) {
  if (!file_.rewritable()) {
    throw IoError("cannot write '" + path + "': a safetensors file cannot go into a pipe.",
                  "Write to a regular file, or save as JSON.");
  }
  data_ = (kPrefix + room + kAlignment - 1) / kAlignment * kAlignment;
  file_.write(std::string(data_, ' '));
}

void SafetensorsWriter::add(std::string_view key, const Array& array) {
  const Array stored = array.contiguous_aligned(1);
  const uint64_t begin = file_.position() - data_, end = begin + stored.bytes().size();
  std::string entry = "," + json_quoted(key) + R"(:{"dtype":")";
  entry += type_name(array.dtype());
  entry += R"(","shape":[)";
  for (size_t i = 0; i < array.shape().size(); ++i) {
    entry += (i > 0 ? "," : "") + std::to_string(array.shape()[i]);
  }
  entry += "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
  // A failure before the last line, as of an allocation, leaves a file of the arrays before.
  const size_t needed = entries_.size() + entry.size();
  if (needed > entries_.capacity()) entries_.reserve(2 * needed);
  file_.write(stored.bytes());
  entries_ += entry;
}

void SafetensorsWriter::finish(const std::map<std::string, std::string>& metadata) {
  std::string header = R"({"__metadata__":{)";
  std::string_view separator;
  for (const auto& [key, text] : metadata) {
    header.append(separator).append(json_quoted(key) + ":" + json_quoted(text));
    separator = ",";
  }
  header += "}" + entries_ + "}";
  if (header.size() > kMaxHeader) {
    throw Error("Cannot save '" + file_.path() + "': its header would take " +
                    std::to_string(header.size() >> 20) +
                    " MiB, but the maximum for safetensors files is 100 MiB.",
                "Save as .npz, or to a folder of one file per iteration.");
  }
  if (kPrefix + header.size() > data_) {
    const uint64_t missing = kPrefix + header.size() - data_;
    const uint64_t more = (missing + kAlignment - 1) / kAlignment * kAlignment;
    file_.make_room(data_, more);
    data_ += more;
  }
  header.resize(data_ - kPrefix, ' ');
  const uint64_t length = header.size();
  file_.rewrite(0, std::as_bytes(std::span(&length, 1)));
  file_.rewrite(kPrefix, std::as_bytes(std::span(header)));
  file_.commit();
}

}  // namespace polygraphy
