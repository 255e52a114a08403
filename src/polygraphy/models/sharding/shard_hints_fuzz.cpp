// Input: a file of shard hints. Hints that can be read are written, and read again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "polygraphy/models/sharding/shard_hints.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const polygraphy::ShardHints hints =
        polygraphy::parse_shard_hints({reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::string text = polygraphy::to_json(hints);
    if (!(polygraphy::parse_shard_hints(text, "fuzz") == hints)) std::abort();
  } catch (const polygraphy::Error&) {
    // None.
  }
  return 0;
}
