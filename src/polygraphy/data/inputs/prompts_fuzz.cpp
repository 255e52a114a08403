#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "polygraphy/data/inputs/prompts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    static_cast<void>(
        polygraphy::parse_prompts({reinterpret_cast<const char*>(data), size}, "prompts"));
  } catch (const polygraphy::Error&) {
  }
  return 0;
}
