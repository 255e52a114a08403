// Input: an .npy file. The array is written and read again: equal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "formats/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polygraphy;
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
  try {
    const Array array = read_npy(file, nullptr, "input");
    std::string written = npy_header(array);
    write_npy_data(array, [&](std::span<const std::byte> bytes) {
      written.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    const Array again = read_npy(std::as_bytes(std::span(written)), nullptr, "written");
    if (!bitwise_equal(array.contiguous_aligned(1), again.contiguous_aligned(1))) std::abort();
  } catch (const FormatError&) {
  }
  return 0;
}
