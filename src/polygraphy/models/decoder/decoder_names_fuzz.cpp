#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "polygraphy/models/decoder/decoder_names.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    static_cast<void>(
        polygraphy::parse_decoder_names({reinterpret_cast<const char*>(data), size}, "names"));
  } catch (const polygraphy::Error&) {
  }
  return 0;
}
