#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "polygraphy/runtimes/contract/exclusions.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto exclusions = polygraphy::contract::parse_exclusions(
        {reinterpret_cast<const char*>(data), size}, "exclusions.txt");
    polygraphy::contract::exclusion_of(exclusions, "types/identity_float32");
  } catch (const polygraphy::Error&) {
    // Lines that say nothing.
  }
  return 0;
}
