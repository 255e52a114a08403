#include "polygraphy/tensors/tensor_file.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "formats/npy.h"
#include "formats/npz.h"
#include "formats/safetensors.h"
#include "polygraphy/tensors/tensor_pb.h"

namespace polygraphy {
namespace {

TensorFile read_single_npy(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                           const std::string& path) {
  TensorFile file;
  file.named = false;
  file.tensors.push_back({stem_of(path), [bytes, owner = std::move(owner), path] {
                            return read_npy(bytes, owner, path);
                          }});
  return file;
}

bool looks_like_json(std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes) {
    const char c = static_cast<char>(byte);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    return std::string_view("{[\"-0123456789tfnNI").find(c) != std::string_view::npos;
  }
  return false;
}

}  // namespace

std::string stem_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  return std::string(dot == 0 ? name : name.substr(0, dot));
}

FileFormat format_of(std::span<const std::byte> bytes, std::string_view path) {
  constexpr std::string_view kNpy = "\x93NUMPY";
  if (bytes.size() >= kNpy.size() && std::memcmp(bytes.data(), kNpy.data(), kNpy.size()) == 0) {
    return FileFormat::kNpy;
  }
  if (is_npz(bytes)) return FileFormat::kNpz;
  const std::string lower = to_lower(path);
  if (is_safetensors(bytes) || lower.ends_with(".safetensors")) return FileFormat::kSafetensors;
  if (lower.ends_with(".pb")) return FileFormat::kTensorPb;
  if (lower.ends_with(".npy")) return FileFormat::kNpy;
  if (lower.ends_with(".npz")) return FileFormat::kNpz;
  if (lower.ends_with(".json") || bytes.empty() || looks_like_json(bytes)) return FileFormat::kJson;
  return FileFormat::kUnknown;
}

TensorFile read_tensor_file(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                            const std::string& path) {
  switch (format_of(bytes, path)) {
    case FileFormat::kNpy:
      return read_single_npy(bytes, std::move(owner), path);
    case FileFormat::kNpz:
      return read_npz(bytes, std::move(owner), path);
    case FileFormat::kSafetensors:
      return read_safetensors(bytes, std::move(owner), path);
    case FileFormat::kTensorPb:
      return read_tensor_pb(bytes, std::move(owner), path);
    default:
      throw FormatError(
          path + ": not a file of arrays that is known here.",
          "Known are the JSON of --save-inputs and --save-outputs, .npy, .npz, .safetensors, and "
          "the .pb files of onnx test data. Raw bytes need a name, a shape and a type: "
          "PATH:NAME:[1,3,4]:float32.");
  }
}

TensorFile read_tensor_file(const std::shared_ptr<const MappedFile>& file) {
  return read_tensor_file(file->bytes(), file, file->path());
}

}  // namespace polygraphy
