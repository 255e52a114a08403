// Files that hold only an array's bytes. Name, shape and type come with the path,
// `x.bin:NAME:[1,3,4]:float32`, or from the model, and must fit the size of the file, which gives
// the only dimension that is open.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

struct RawInput {
  std::string path;
  std::string name;  // of the input
  TensorInfo info;   // `auto` or missing parts come from the model
};

// `text` as the user gave it: PATH:NAME:SHAPE:TYPE where PATH is a file and the whole is not;
// nullopt for everything else. Throws Error when what follows the path is not understood.
std::optional<RawInput> parse_raw_input(const std::string& text);

// The array: bytes in C order, packed types as ONNX packs them. A view of the mapped file. Throws
// Error naming the spelling above when shape or type are not known, and FormatError when the
// file's size is another.
Array read_raw_input(const RawInput& input);

}  // namespace polygraphy
