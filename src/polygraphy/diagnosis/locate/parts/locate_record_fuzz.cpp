#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "polygraphy/diagnosis/locate/parts/locate_record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto record =
        polygraphy::parse_locate_record({reinterpret_cast<const char*>(data), size}, "record");
    static_cast<void>(record.outputs.verdict());
    static_cast<void>(polygraphy::to_json(record));
  } catch (const polygraphy::Error&) {
  }
  return 0;
}
