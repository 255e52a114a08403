// Input: a plugin's description of an engine. Readable descriptions can be printed.
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "polygraphy/runtimes/compiled/engine_json.h"
#include "polygraphy/runtimes/compiled/engine_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace polygraphy;
  try {
    const EngineDescription engine =
        read_engine({reinterpret_cast<const char*>(data), size}, "fuzz");
    engine_text(engine, {.layers = true, .attrs = true});
  } catch (const Error&) {
    // Not one.
  }
  return 0;
}
