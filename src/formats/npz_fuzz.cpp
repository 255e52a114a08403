// Input: an .npz archive.
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "formats/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polygraphy;
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
  try {
    is_npz(file);
    read_first_of_npz(file, nullptr, "input");
  } catch (const FormatError&) {
  }
  try {
    for (const StoredTensor& tensor : read_npz(file, nullptr, "input").tensors) {
      try {
        tensor.load();
      } catch (const FormatError&) {
      }
    }
  } catch (const FormatError&) {
  }
  return 0;
}
