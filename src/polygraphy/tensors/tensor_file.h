// Files of named arrays that other programs write: .npy, .npz, .safetensors, and the .pb files of
// onnx test data. What a file is, its first bytes say; its name decides only where they do not.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/os/mapped_file.h"
#include "formats/stored_tensor.h"

namespace polygraphy {

enum class FileFormat { kJson, kNpy, kNpz, kSafetensors, kTensorPb, kUnknown };

// `path` is only looked at where the bytes leave it open. Never throws.
FileFormat format_of(std::span<const std::byte> bytes, std::string_view path);

// Reads names, types and places; no values. Throws FormatError, for kJson and kUnknown too.
TensorFile read_tensor_file(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                            const std::string& path);
TensorFile read_tensor_file(const std::shared_ptr<const MappedFile>& file);

// "x" for "folder/x.npy".
std::string stem_of(std::string_view path);

}  // namespace polygraphy
