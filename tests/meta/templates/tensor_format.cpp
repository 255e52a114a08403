// Names and numbers of elements; values are lost. A line of magic, a line per array, and metadata:
//     METAPROBE
//     x 2
#include <sstream>

#include "base/os/atomic_file.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {
namespace {

constexpr std::string_view kMagic = "METAPROBE\n";

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool recognizes(std::span<const std::byte> bytes) {
  return text_of(bytes).starts_with(kMagic);
}

TensorFile read(std::span<const std::byte> bytes, std::shared_ptr<const void>, const std::string&) {
  TensorFile file;
  std::istringstream lines{std::string(text_of(bytes).substr(kMagic.size()))};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("{")) {
      file.metadata = line;
      continue;
    }
    const size_t blank = line.rfind(' ');
    const int64_t size = std::stoll(line.substr(blank));
    file.tensors.push_back(
        {line.substr(0, blank), [size] { return Array::zeros(DataType::kFloat32, {size}); }});
  }
  return file;
}

class Writer final : public TensorFileWriter {
 public:
  explicit Writer(const std::string& path) : file_(path) { file_.write(kMagic); }

  bool add(std::string_view key, const Array& array) override {
    file_.write(std::string(key) + " " + std::to_string(array.size()) + "\n");
    return true;
  }
  void finish(const std::string& metadata) override {
    file_.write(metadata + "\n");
    file_.commit();
  }

 private:
  AtomicFile file_;
};

std::unique_ptr<TensorFileWriter> write(const std::string& path) {
  return std::make_unique<Writer>(path);
}

}  // namespace

extern constinit const TensorFormat tensor_format_meta_probe = {
    .name = ".metaprobe",
    .extensions = ".metaprobe .mprobe",
    .order = 2,
    .recognizes = recognizes,
    .read = read,
    .write = write,
};

}  // namespace polygraphy
