#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto result =
        polygraphy::parse_sensitivity_json({reinterpret_cast<const char*>(data), size}, "results");
    static_cast<void>(polygraphy::sensitivity_json(result));
  } catch (const polygraphy::Error&) {
  }
  return 0;
}
