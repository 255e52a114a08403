// Files of named arrays that other programs write: .npy, .npz, .safetensors, and the .pb files of
// onnx test data. What a file is, its first bytes say; its name decides only where they do not.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "polygraphy/data/tensor_map.h"

namespace polygraphy {

enum class FileFormat { kJson, kNpy, kNpz, kSafetensors, kTensorPb, kUnknown };

// `path` is only looked at where the bytes leave it open. Never throws.
FileFormat format_of(std::span<const std::byte> bytes, std::string_view path);

// An array in a file: found, not read. load() views the mapped file where it can, reads else;
// throws FormatError. It keeps the file open.
struct StoredTensor {
  std::string name;
  std::function<Array()> load;
};

struct TensorFile {
  std::vector<StoredTensor> tensors;  // in file order
  // False: names are taken from the file's name, because the format has none.
  bool named = true;
  // What we write there of ourselves (result_store.h); else empty.
  std::string metadata;
};

// Reads names, types and places; no values. Throws FormatError, for kJson and kUnknown too.
TensorFile read_tensor_file(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                            const std::string& path);
TensorFile read_tensor_file(const std::shared_ptr<const MappedFile>& file);

// "x" for "folder/x.npy".
std::string stem_of(std::string_view path);

}  // namespace polygraphy
