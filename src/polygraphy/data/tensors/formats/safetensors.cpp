// safetensors: named arrays. Types that the format lacks are stored as bytes (to_bytes), our
// metadata as the text `polygraphy` of `__metadata__`.
#include "formats/safetensors.h"

#include <algorithm>
#include <optional>

#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {
namespace {

// The file is created by the first add(), when the room for its header is known.
class Writer final : public TensorFileWriter {
 public:
  explicit Writer(std::string path) : path_(std::move(path)) {}

  void expect(size_t arrays) override {
    constexpr size_t kBytesPerArray = 160, kLeast = 4096, kMost = size_t{16} << 20;
    room_ = std::clamp(arrays * kBytesPerArray, kLeast, kMost);
  }
  bool add(std::string_view key, const Array& array) override {
    if (!file_) file_.emplace(path_, room_);
    const bool known = safetensors_has(array);
    file_->add(key, known ? array : to_bytes(array));
    return known;
  }
  void finish(const std::string& metadata) override {
    if (!file_) file_.emplace(path_);
    file_->finish({{"polygraphy", metadata}});
  }

 private:
  std::string path_;
  size_t room_ = 0;  // bytes
  std::optional<SafetensorsWriter> file_;
};

std::unique_ptr<TensorFileWriter> write(const std::string& path) {
  return std::make_unique<Writer>(path);
}

}  // namespace

extern constinit const TensorFormat tensor_format_safetensors = {
    .name = ".safetensors",
    .extensions = ".safetensors",
    .order = 1,
    .recognizes = is_safetensors,
    .read = read_safetensors,
    .write = write,
};

}  // namespace polygraphy
