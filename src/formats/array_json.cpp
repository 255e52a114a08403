#include "formats/array_json.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "formats/base64.h"
#include "formats/element_codes.h"
#include "formats/npy.h"
#include "formats/npz.h"
#include "formats/plain_json.h"

namespace polygraphy {
namespace {

constexpr std::string_view kMarker = "polygraphy_class";
constexpr std::string_view kLegacyPrefix = "__polygraphy_encoded_";
constexpr std::string_view kNpyInBase64 = "k05VTVBZ";  // \x93NUMPY
constexpr std::string_view kLegacyValue = "polygraphy_serialized_json_type";

// The members of a JSON object for an array.
struct Fields {
  std::string marker;
  std::optional<std::string_view> payload;
  std::string dtype;
  size_t offset = 0;
  bool torch = false;
};

[[noreturn]] void fail_marker(const JsonReader& json, size_t offset, const std::string& marker,
                              const std::string& name) {
  const std::string where = "'" + name + "': ";
  if (marker.empty()) json.fail_at(offset, where + "expected an array, found an object.");
  json.fail_at(offset, where + "Could not decode serialized type: " + marker +
                           ". This could be because a required module is missing. ");
}

Fields read_fields(JsonReader& json, const std::string& name, int depth) {
  const size_t start = json.offset();
  Fields own;
  std::optional<Fields> inner;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (read_marker(json, key, own.marker)) continue;
    const JsonReader::Type type = json.peek();
    if ((key == "array" || key == "values") && type == JsonReader::Type::kObject && depth > 0) {
      inner = read_fields(json, name, depth - 1);
    } else if ((key == "array" || key == "tensor") && type == JsonReader::Type::kString) {
      own.torch = key == "tensor";
      own.offset = json.offset() + 1;
      own.payload = json.read_raw_string().raw;
    } else if (key == "dtype" && type == JsonReader::Type::kString) {
      own.dtype = json.read_string();
    } else {
      json.skip_value();
    }
  }
  const std::string& marker = own.marker;
  if (inner &&
      (marker == "LazyArray" || marker == "LazyNumpyArray" || marker == "FormattedArray")) {
    return *inner;
  }
  if (marker == "Tensor" && own.torch) return own;
  if ((marker != "ndarray" && marker != "TypedArray") || !own.payload || own.torch) {
    fail_marker(json, start, marker == "ndarray" ? "" : marker, name);
  }
  if (marker == "ndarray" && numpy_has(parse_data_type(own.dtype).value_or(DataType::kFloat32))) {
    own.dtype.clear();
  }
  return own;
}

bool starts_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](std::string_view prefix) { return text.starts_with(prefix); });
}

[[noreturn]] void fail_base64(const std::string& what) {
  throw FormatError(what + ": the array's text is not base64.",
                    "The file may be truncated or edited.");
}

NpyHeader decode_npy_header(Base64Source& source, const std::string& what) {
  std::vector<std::byte> header(std::min(source.remaining(), kNpyPrefixBytes));
  if (!source.read(header)) fail_base64(what);
  const size_t size = npy_header_size(header, what);
  const size_t have = header.size();
  if (size < have || size - have > source.remaining()) {
    throw FormatError(what + ": the .npy header is truncated.");
  }
  header.resize(size);
  if (!source.read(std::span(header).subspan(have))) fail_base64(what);
  const NpyHeader parsed = parse_npy_header(header, what);
  const auto bytes = static_cast<size_t>(parsed.data_bytes());
  if (bytes > source.remaining()) {
    throw FormatError(what + ": truncated: an array of shape " + py_tuple_repr(parsed.shape) +
                      " needs " + std::to_string(bytes) + " bytes, but the file has " +
                      std::to_string(source.remaining()) + ".");
  }
  return parsed;
}

Array decode_npy(std::string_view text, const std::string& what) {
  Base64Source source(text);
  const NpyHeader parsed = decode_npy_header(source, what);
  return npy_array(parsed, [&](std::span<std::byte> out) {
    if (!source.read(out)) fail_base64(what);
  });
}

Array decode_bytes(std::shared_ptr<std::vector<std::byte>> bytes, const std::string& what) {
  const std::span<const std::byte> file = *bytes;
  if (is_npz(file)) return read_first_of_npz(file, bytes, what);
  return read_npy(file, bytes, what);
}

Array decode_npz(std::string_view text, const std::string& what) {
  const auto size = decoded_base64_size(text);
  if (!size) fail_base64(what);
  auto bytes = std::make_shared<std::vector<std::byte>>(*size);
  if (!decode_base64(text, bytes->data())) fail_base64(what);
  return decode_bytes(std::move(bytes), what);
}

// Before base64 the bytes were characters U+0000 to U+00FF; here in UTF-8.
Array decode_latin1(std::string_view utf8, const std::string& what) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  bytes->reserve(utf8.size());
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto c = static_cast<unsigned char>(utf8[i]);
    if (c < 0x80) {
      bytes->push_back(std::byte{c});
    } else if ((c == 0xC2 || c == 0xC3) && i + 1 < utf8.size()) {
      const auto next = static_cast<unsigned char>(utf8[++i]);
      bytes->push_back(static_cast<std::byte>((c & 3) << 6 | (next & 0x3F)));
    } else {
      fail_base64(what);
    }
  }
  return decode_bytes(std::move(bytes), what);
}

Array decode(std::string_view text, const std::string& what) {
  if (text.starts_with(kNpyInBase64)) return decode_npy(text, what);
  if (starts_any(text, {"UEsDB", "UEsFB"})) return decode_npz(text, what);  // PK\3\4, PK\5\6
  if (starts_any(text, {"\xC2\x93NUMPY", "PK\x03\x04", "PK\x05\x06"}))
    return decode_latin1(text, what);
  throw FormatError(what + ": the array is not an .npy file in base64.",
                    "Another program may have written or edited the file.");
}

Array typed_by_name(const Array& codes, std::string_view name, const std::string& what) {
  const auto type = parse_data_type(name);
  if (!type || numpy_has(*type)) {
    throw FormatError(what + ": unknown data type '" + std::string(name) + "'.");
  }
  return from_codes(codes, *type, what);
}

class Base64Writer {
 public:
  explicit Base64Writer(JsonWriter& json)
      : json_(json),
        text_(std::make_unique_for_overwrite<char[]>(Base64Encoder::text_limit(kBlock))) {}

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const auto block = bytes.first(std::min(bytes.size(), kBlock));
      json_.plain_text({text_.get(), encoder_.encode(block, text_.get())});
      bytes = bytes.subspan(block.size());
    }
  }
  void finish() { json_.plain_text({text_.get(), encoder_.finish(text_.get())}); }

 private:
  static constexpr size_t kBlock = size_t{3} << 16;
  JsonWriter& json_;
  Base64Encoder encoder_;
  std::unique_ptr<char[]> text_;  // not cleared, for each small array
};

void write_npy(JsonWriter& json, const Array& array) {
  json.begin_plain_string();
  Base64Writer writer(json);
  const std::string header = npy_header(array);
  writer.write(std::as_bytes(std::span(header)));
  write_npy_data(array, [&](std::span<const std::byte> bytes) { writer.write(bytes); });
  writer.finish();
  json.end_plain_string();
}

}  // namespace

bool read_marker(JsonReader& json, std::string_view key, std::string& marker) {
  const bool today = key == kMarker, legacy = key.starts_with(kLegacyPrefix);
  if ((!today && !legacy) || json.peek() != JsonReader::Type::kString) return false;
  const std::string value = json.read_string();
  if (today) {
    if (marker.empty()) marker = value;
  } else if (value == kLegacyValue) {
    marker = key.substr(kLegacyPrefix.size());
  }
  return true;
}

void write_marker(JsonWriter& json, std::string_view type) {
  json.key(kMarker);
  json.string(type);
}

Array SavedArray::load() const {
  if (stored) return stored();
  if (torch) {
    throw FormatError(what + ": a torch.Tensor, which only PyTorch can read.",
                      "Save the data as NumPy arrays: call .numpy() on the tensors before saving "
                      "them (.float().numpy() for bfloat16).");
  }
  if (plain) {
    JsonReader json(payload, what, offset);
    return read_plain_array(json);
  }
  const auto decode_payload = [this] {
    // Our own and the original's base64 has nothing to unescape; others may write '/' as '\/'.
    if (starts_any(payload, {kNpyInBase64, "UEs"})) {
      try {
        return decode(payload, what);
      } catch (const FormatError&) {
        if (payload.find('\\') == std::string_view::npos) throw;
      }
    }
    return decode(JsonReader(payload, what).unescape({payload}), what);
  };
  const Array array = decode_payload();
  return dtype.empty() ? array : typed_by_name(array, dtype, what);
}

void SavedArray::check() const {
  if (plain || !payload.starts_with(kNpyInBase64) || payload.find('\\') != std::string_view::npos) {
    load();
    return;
  }
  Base64Source source(payload);
  decode_npy_header(source, what);
  std::vector<std::byte> piece(size_t{64} << 10);
  while (source.remaining() > 0) {
    if (!source.read(std::span(piece).first(std::min(piece.size(), source.remaining())))) {
      fail_base64(what);
    }
  }
}

std::optional<size_t> npy_text_length(std::string_view text) {
  if (!text.starts_with(kNpyInBase64)) return std::nullopt;
  constexpr size_t kPrefixText = kNpyPrefixBytes / 3 * 4;
  static_assert(kNpyPrefixBytes % 3 == 0);
  std::byte prefix[kNpyPrefixBytes];
  if (text.size() < kPrefixText || !decode_base64(text.substr(0, kPrefixText), prefix))
    return std::nullopt;
  try {
    const size_t header_size = npy_header_size(prefix, {});
    const size_t header_text = (header_size + 2) / 3 * 4;
    if (text.size() < header_text) return std::nullopt;
    std::vector<std::byte> header(header_text / 4 * 3);
    if (!decode_base64(text.substr(0, header_text), header.data())) return std::nullopt;
    const auto bytes = static_cast<size_t>(parse_npy_header(header, {}).data_bytes());
    if (bytes > text.size()) return std::nullopt;
    return (header_size + bytes + 2) / 3 * 4;
  } catch (const FormatError&) {
    return std::nullopt;  // reported by the read of the array
  }
}

SavedArray read_saved_array(JsonReader& json, const std::string& name) {
  constexpr int kMaxNesting = 3;  // LazyArray > FormattedArray > ndarray
  if (json.peek() != JsonReader::Type::kObject) {
    const size_t offset = json.offset();
    json.skip_value();
    return {json.passed(), {}, json.source() + ": '" + name + "'", offset, true};
  }
  Fields fields = read_fields(json, name, kMaxNesting);
  return {*fields.payload,
          std::move(fields.dtype),
          json.source() + ": '" + name + "'",
          fields.offset,
          false,
          fields.torch};
}

void write_array(JsonWriter& json, const Array& array) {
  const bool typed = !numpy_has(array.dtype());
  json.begin_object();
  json.key("array");
  if (typed) {
    write_npy(json, codes_of(array));
    json.key("dtype");
    json.string(name_of(array.dtype()));
  } else {
    write_npy(json, array);
  }
  write_marker(json, typed ? "TypedArray" : "ndarray");
  json.end_object();
}

void write_lazy_array(JsonWriter& json, const Array& array) {
  json.begin_object();
  json.key("values");
  write_array(json, array);
  write_marker(json, "LazyArray");
  json.end_object();
}

void write_saved_array(JsonWriter& json, const SavedArray& array) {
  const bool as_it_stands = !array.plain && array.payload.starts_with(kNpyInBase64) &&
                            array.payload.find('\\') == std::string_view::npos;
  if (!as_it_stands) {
    write_array(json, array.load());
    return;
  }
  array.check();
  json.begin_object();
  json.key("array");
  json.begin_plain_string();
  json.plain_text(array.payload);
  json.end_plain_string();
  if (!array.dtype.empty()) {
    json.key("dtype");
    json.string(array.dtype);
  }
  write_marker(json, array.dtype.empty() ? "ndarray" : "TypedArray");
  json.end_object();
}

void write_saved_lazy_array(JsonWriter& json, const SavedArray& array) {
  json.begin_object();
  json.key("values");
  write_saved_array(json, array);
  write_marker(json, "LazyArray");
  json.end_object();
}

}  // namespace polygraphy
