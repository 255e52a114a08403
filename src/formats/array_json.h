// Arrays in the original's JSON: an object that holds a whole .npy file in base64.
//
// Types that NumPy lacks (bfloat16, float8, int4 …) have no form there. We write their codes as
// unsigned (int4, int2: signed) numbers, one element each, and name the type:
//     {"array": "<base64 of .npy>", "dtype": "bfloat16", "polygraphy_class": "TypedArray"}
// The original refuses this with `Could not decode serialized type: TypedArray`, rather than taking
// the codes for values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/arrays/array.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"

namespace polygraphy {

// An array in a JSON text, or in a file of another format: found, not decoded. Views the text.
struct SavedArray {
  std::string_view payload;  // between the quotes
  std::string dtype;         // of a TypedArray, else empty
  std::string what;          // file, line and name, for messages
  size_t offset = 0;         // of the payload in the text
  bool plain = false;  // lists or a number (plain_json.h) at `offset`; the payload ends with them
  bool torch = false;  // the payload is a file of torch.save(): load() fails, it takes PyTorch
  // Reads the array. Set for formats other than JSON, for which the members above except `what` are
  // empty, and for torch payloads if a reader is available.
  std::function<Array()> stored = {};

  // Decodes straight into the array's memory. Throws FormatError.
  Array load() const;
  // Whether load() would succeed, without an array: throws FormatError as that does.
  void check() const;
};

// Reads the value at the cursor: an ndarray, TypedArray, FormattedArray or Tensor, or one of these
// inside a LazyArray; marked as today or as before 0.33 (`__polygraphy_encoded_…`); or plain lists.
// `name` is the tensor's, for messages.
SavedArray read_saved_array(JsonReader& json, const std::string& name);

// The number of characters of the base64 .npy file at the beginning of this text, by its header;
// nullopt for other texts. For skipping arrays without reading them.
std::optional<size_t> npy_text_length(std::string_view text);

// `ndarray` or `TypedArray`; encoded block by block.
void write_array(JsonWriter& json, const Array& array);
// The same inside a `LazyArray`, as outputs are.
void write_lazy_array(JsonWriter& json, const Array& array);

// The same for an array in another file: checks and copies its text if it is in the current form,
// else decodes and encodes it.
void write_saved_array(JsonWriter& json, const SavedArray& array);
void write_saved_lazy_array(JsonWriter& json, const SavedArray& array);

// If `key` and the value at the cursor are a marker of either kind, reads it into `marker` and
// returns true.
bool read_marker(JsonReader& json, std::string_view key, std::string& marker);
// The last key of every marked object.
void write_marker(JsonWriter& json, std::string_view type);

}  // namespace polygraphy
