// Input: a safetensors file; all of it is loaded, as a file of another program and as one of ours.
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "formats/safetensors.h"
#include "polygraphy/data/results/result_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polygraphy;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto load = [](const std::vector<StoredTensor>& tensors) {
    for (const StoredTensor& tensor : tensors) {
      try {
        tensor.load();
      } catch (const FormatError&) {
      }
    }
  };
  try {
    const ResultStore store(read_safetensors(bytes, nullptr, "input"), "input");
    for (size_t i = 0; i < store.feed_count(); ++i) load(store.feed(i));
    for (size_t r = 0; r < store.runners().size(); ++r) {
      for (size_t i = 0; i < store.runners()[r].runtimes.size(); ++i) load(store.outputs(r, i));
    }
  } catch (const FormatError&) {
  }
  return 0;
}
