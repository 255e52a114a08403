#include "polygraphy/data/tensors/raw_input.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/os/files/file_access.h"
#include "base/os/mapped_file.h"
#include "base/text.h"
#include "polygraphy/data/tensors/tensor_file.h"

namespace polygraphy {
namespace {

std::string spelling(const RawInput& input) {
  return "Describe the bytes: " + input.path + ":" + (input.name.empty() ? "NAME" : input.name) +
         ":[1,3,4]:float32.";
}

// With the only dimension that is not known, such as the batch, from the number of bytes; nullopt:
// there are several, or bytes do not give it.
std::optional<Shape> shape_of_bytes(const TensorInfo& info, size_t bytes) {
  Shape shape;
  std::optional<size_t> open;
  for (const Dim& dim : *info.shape) {
    if (!dim.is_static() && open) return std::nullopt;
    if (!dim.is_static()) open = shape.size();
    shape.push_back(dim.is_static() ? dim.value() : 1);
  }
  if (!open) return shape;
  const int64_t row = element_count(shape) * (bit_width(info.dtype) / 8);
  if (row <= 0 || is_packed(info.dtype)) return std::nullopt;
  shape[*open] = static_cast<int64_t>(bytes) / row;
  return shape;
}

}  // namespace

std::optional<RawInput> parse_raw_input(const std::string& text) {
  if (is_there(text)) return std::nullopt;
  for (size_t colon = text.rfind(':'); colon != std::string::npos && colon > 0;
       colon = text.rfind(':', colon - 1)) {
    RawInput input;
    input.path = text.substr(0, colon);
    if (!is_there(input.path)) continue;
    const std::string rest = text.substr(colon + 1);
    const auto pieces = split(rest, ':');
    if (pieces.size() < 3 || pieces.front().empty()) {
      throw Error("Could not understand the raw input '" + text +
                      "': a name, a shape and a type must follow the path.",
                  spelling(input));
    }
    const Metadata parsed = parse_metadata({rest}, {.shape = true, .dtype = true});
    input.name = parsed.at_index(0).first;
    input.info = parsed.at_index(0).second;
    return input;
  }
  return std::nullopt;
}

Array read_raw_input(const RawInput& input) {
  const TensorInfo& info = input.info;
  if (info.dtype == DataType::kString) {
    throw Error(input.path + ": strings have no raw form.", "Give them as JSON, .npy or .npz.");
  }
  const auto file = MappedFile::open(input.path, AccessPattern::kSequential);
  const bool described = info.dtype != DataType::kUndefined && info.shape;
  std::optional<Shape> shape =
      described ? shape_of_bytes(info, file->bytes().size()) : std::nullopt;
  if (!shape) {
    throw Error(input.path + ": raw bytes of an array of unknown " +
                    (info.dtype == DataType::kUndefined ? "type" : "shape") +
                    ": give it, since the model does not fix it.",
                spelling(input));
  }
  const auto needed = static_cast<uint64_t>(storage_bytes(info.dtype, element_count(*shape)));
  if (needed != file->bytes().size()) {
    throw FormatError(input.path + ": " + std::to_string(file->bytes().size()) + " bytes, but " +
                          std::string(name_of(info.dtype)) + " of shape " + py_tuple_repr(*shape) +
                          " needs " + std::to_string(needed) + ".",
                      spelling(input));
  }
  const Array view = Array::view(info.dtype, *std::move(shape), file->bytes().data(), file);
  return view.contiguous_aligned(static_cast<size_t>(std::max(bit_width(info.dtype) / 8, 1)));
}

}  // namespace polygraphy
