#include "polygraphy/data/tensors/tensor_file.h"

#include "base/error.h"

namespace polygraphy {

std::string stem_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  return std::string(dot == 0 ? name : name.substr(0, dot));
}

TensorFile read_tensor_file(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                            const std::string& path) {
  const TensorFormat* format = format_of(bytes, path);
  if (format == nullptr || format->read == nullptr) {
    throw FormatError(path + ": unknown format of a file of arrays.",
                      "Supported: " + names_of_saved_formats() + ", " + names_of_loaded_formats() +
                          ". Raw bytes need a name, a shape and a type: "
                          "PATH:NAME:[1,3,4]:float32.");
  }
  return format->read(bytes, std::move(owner), path);
}

TensorFile read_tensor_file(const std::shared_ptr<const MappedFile>& file) {
  return read_tensor_file(file->bytes(), file, file->path());
}

}  // namespace polygraphy
