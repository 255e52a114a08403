// Input: a file of torch.save().
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "polygraphy/data/tensors/torch/torch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polygraphy;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    is_torch_file(bytes);
    for (const StoredTensor& tensor : read_torch_file(bytes, nullptr, "input.pt").tensors) {
      try {
        tensor.load();
      } catch (const FormatError&) {
      }
    }
  } catch (const FormatError&) {
  }
  return 0;
}
