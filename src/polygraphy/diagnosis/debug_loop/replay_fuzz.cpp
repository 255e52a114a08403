// Input: a file that claims to be a debug replay. A loaded replay can be written and loaded again,
// with the same text.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "polygraphy/diagnosis/debug_loop/replay.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string path = "/tmp/replay_fuzz_" + std::to_string(::getpid()) + ".json";
  const auto load = [&](std::string_view text) {
    polygraphy::write_file(path, text, polygraphy::Durability::kNone);
    return polygraphy::load_replay(path);
  };
  try {
    const auto replay = load({reinterpret_cast<const char*>(data), size});
    const std::string text = polygraphy::to_json(replay);
    if (polygraphy::to_json(load(text)) != text) std::abort();
  } catch (const polygraphy::FormatError&) {
    // Not a replay.
  }
  ::unlink(path.c_str());
  return 0;
}
