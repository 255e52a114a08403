#include "polygraphy/data/tensors/tensor_pb.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/ir/payloads/tensor_codec.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

namespace wire = graphsurgeon::wire;
using graphsurgeon::Source;
using SourcePtr = std::shared_ptr<const Source>;

// Of SequenceProto and OptionalProto; the elements are of number 3 where they are tensors, and of 5
// where they are sequences.
enum : uint32_t { kName = 1, kElementType = 2, kTensorValue = 3, kSequenceValue = 5 };

// The last field with this key; empty if it is missing.
std::string_view text_of(std::string_view message, uint64_t key) {
  std::string_view text;
  for (wire::Reader reader(message); reader.next();)
    if (reader.key() == key) text = reader.bytes();
  return text;
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c != '\x7F'; });
}

// Whether the message says the type of a tensor, as every TensorProto does.
bool is_tensor(std::string_view message) {
  bool typed = false;
  try {
    for (wire::Reader reader(message); reader.next();) {
      if (reader.key() == wire::varint_key(wire::tensor::kDataType)) {
        typed = is_known(static_cast<DataType>(reader.as_int32()));
      }
    }
  } catch (const wire::ParseError&) {
    return false;
  }
  return typed;
}

// The sequence in an optional that holds one; nothing for other messages. A TensorProto has numbers
// in that place, which are not a sequence of tensors.
std::optional<std::string_view> sequence_in_optional(std::string_view message) {
  const auto holds_tensors = [](std::string_view text) {
    try {
      for (wire::Reader reader(text); reader.next();) {
        if (reader.key() == wire::bytes_key(kTensorValue) && is_tensor(reader.bytes())) return true;
      }
    } catch (const wire::ParseError&) {
      return false;
    }
    return false;
  };
  std::optional<std::string_view> found;
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(kName):
        if (!printable(reader.bytes())) return std::nullopt;
        break;
      case wire::varint_key(kElementType):
        break;
      case wire::bytes_key(kSequenceValue):
        if (found || !holds_tensors(reader.bytes())) return std::nullopt;
        found = reader.bytes();
        break;
      default:
        return std::nullopt;
    }
  }
  return found;
}

// The messages share field numbers: their contents distinguish them.
bool is_sequence(std::string_view message) {
  bool named = false, values = false, typed_for_tensors = false;
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::varint_key(wire::tensor::kDims):
        return false;
      case wire::bytes_key(kName):
        named |= printable(reader.bytes()) && !reader.bytes().empty();
        break;
      case wire::varint_key(kElementType):
        typed_for_tensors = reader.varint() <= 5;  // 0: an optional that holds nothing
        break;
      case wire::bytes_key(kTensorValue):
        if (is_tensor(reader.bytes())) return true;
        break;
      default:
        values = true;
    }
  }
  return named && typed_for_tensors && !values;
}

StoredTensor stored(std::string_view message, std::string name, const SourcePtr& source) {
  if (graphsurgeon::is_external(message)) {
    throw FormatError(source->name + ": '" + name + "' has its values in another file.",
                      "Save it with its values inside.");
  }
  const auto values = graphsurgeon::decode_tensor(message, source).values;
  if (!is_known(values->dtype())) {
    throw FormatError(source->name + ": '" + name + "' is of an unknown data type, " +
                      std::to_string(static_cast<int32_t>(values->dtype())) + ".");
  }
  const std::string what = source->name + ": '" + name + "'";
  return {std::move(name), [values, what] {
            const Array array = values->load(what);
            const auto unit = static_cast<size_t>(std::max(bit_width(array.dtype()) / 8, 1));
            return array.dtype() == DataType::kString ? array : array.contiguous_aligned(unit);
          }};
}

// `optional`: the name of the optional that holds it, which may be empty; nothing if none does.
void read_sequence(std::string_view message, std::optional<std::string_view> optional,
                   const SourcePtr& source, TensorFile& file) {
  file.named = optional && !optional->empty();
  std::string name = file.named ? std::string(*optional) : stem_of(source->name);
  std::vector<std::string_view> items;
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(kName):
        if (file.named || reader.bytes().empty()) break;
        file.named = true;
        name = reader.bytes();
        break;
      case wire::varint_key(kElementType):
        break;
      case wire::bytes_key(kTensorValue):
        items.push_back(reader.bytes());
        break;
      default:
        throw FormatError(source->name + ": '" + name +
                          "' holds nested sequences, maps or optionals, which are not supported.");
    }
  }
  // A sequence of one and an optional tensor are the same bytes.
  const bool one = items.size() == 1 && !optional;
  for (size_t i = 0; i < items.size(); ++i) {
    file.tensors.push_back(stored(items[i], one ? name : item_name(name, i), source));
  }
}

}  // namespace

TensorFile read_tensor_pb(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                          const std::string& path) {
  auto source = std::make_shared<Source>();
  source->name = path;
  source->bytes = {reinterpret_cast<const char*>(file.data()), file.size()};
  source->owner = std::move(owner);
  const std::string_view message = source->bytes;
  TensorFile result;
  try {
    if (const auto sequence = sequence_in_optional(message)) {
      read_sequence(*sequence, text_of(message, wire::bytes_key(kName)), source, result);
      return result;
    }
    if (is_sequence(message)) {
      read_sequence(message, std::nullopt, source, result);
      return result;
    }
    if (!is_tensor(message)) {
      throw FormatError(path + ": neither a TensorProto nor a sequence of them.",
                        "Expected a file of onnx test data: test_data_set_0/input_0.pb.");
    }
    const std::string_view name = text_of(message, wire::bytes_key(wire::tensor::kName));
    result.named = !name.empty();
    result.tensors.push_back(
        stored(message, result.named ? std::string(name) : stem_of(path), source));
  } catch (const wire::ParseError& error) {
    throw FormatError(source->where(error.at()) + ": " + error.what());
  }
  return result;
}

}  // namespace polygraphy
