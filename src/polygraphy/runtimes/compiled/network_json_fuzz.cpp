// Input: a plugin's description of a network, and its weights. Readable descriptions can be
// printed.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "polygraphy/runtimes/compiled/network_json.h"
#include "polygraphy/runtimes/compiled/network_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace polygraphy;
  const auto bytes = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  try {
    network_text(read_network_with_weights(*bytes, bytes, "fuzz"),
                 {.layers = true, .attrs = true, .weights = true});
  } catch (const Error&) {
    // Not one.
  }
  return 0;
}
