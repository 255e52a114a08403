// Input: a pickle.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "formats/pickle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polygraphy;
  try {
    const Pickle pickle = read_pickle({reinterpret_cast<const std::byte*>(data), size}, "input");
    // All places hold values.
    if (pickle.root >= pickle.values.size()) std::abort();
    for (const PickleValue& value : pickle.values) {
      for (const std::uint32_t item : value.items) {
        if (item >= pickle.values.size()) std::abort();
      }
    }
  } catch (const FormatError&) {
  }
  return 0;
}
