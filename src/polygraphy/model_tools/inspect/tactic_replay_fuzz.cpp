// Input: a file of a tactic replay. A replay that can be read can be printed.
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "polygraphy/model_tools/inspect/tactic_replay.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto replay =
        polygraphy::parse_tactic_replay({reinterpret_cast<const char*>(data), size}, "fuzz");
    for (const auto& [layer, algorithm] : replay) polygraphy::to_text(algorithm);
  } catch (const polygraphy::Error&) {
    // Not one.
  }
  return 0;
}
