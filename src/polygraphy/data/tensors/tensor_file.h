// Files of named arrays in any format (tensor_format.h). The first bytes of a file decide its
// format; the name decides only if they do not.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/os/mapped_file.h"
#include "formats/stored_tensor.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {

// Reads names, types and places; no values. Throws FormatError, for JSON and unknown files too.
TensorFile read_tensor_file(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                            const std::string& path);
TensorFile read_tensor_file(const std::shared_ptr<const MappedFile>& file);

// "x" for "folder/x.npy".
std::string stem_of(std::string_view path);

}  // namespace polygraphy
