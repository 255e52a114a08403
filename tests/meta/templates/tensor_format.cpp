// Files of one array that are always empty.
#include "polygraphy/tensors/tensor_file.h"

namespace polygraphy {
namespace {

TensorFile read(std::span<const std::byte>, std::shared_ptr<const void>, const std::string& path) {
  TensorFile file;
  file.named = false;
  file.tensors.push_back({stem_of(path), [] { return Array::zeros(DataType::kFloat32, {0}); }});
  return file;
}

}  // namespace

extern const TensorFormat tensor_format_meta_probe;
constinit const TensorFormat tensor_format_meta_probe = {
    .name = ".metaprobe",
    .extensions = ".metaprobe",
    .order = 99,
    .content = TensorFormat::Content::kOneArray,
    .read = read,
};

}  // namespace polygraphy
