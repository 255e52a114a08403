// NumPy's .npy: one array, without a name.
#include "formats/npy.h"

#include <algorithm>

#include "polygraphy/data/tensors/tensor_file.h"

namespace polygraphy {
namespace {

bool recognizes(std::span<const std::byte> bytes) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.starts_with(kMagic);
}

TensorFile read(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                const std::string& path) {
  TensorFile file;
  file.named = false;
  file.tensors.push_back({stem_of(path), [bytes, owner = std::move(owner), path] {
                            return read_npy(bytes, owner, path);
                          }});
  return file;
}

}  // namespace

extern constinit const TensorFormat tensor_format_npy = {
    .name = ".npy",
    .extensions = ".npy",
    .order = 3,
    .content = TensorFormat::Content::kPart,
    .recognizes = recognizes,
    .read = read,
};

}  // namespace polygraphy
