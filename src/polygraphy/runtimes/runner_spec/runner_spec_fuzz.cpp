// Runners as text and as JSON: a spec that is read is written, and reads as the same spec.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"
#include "polygraphy/runtimes/runner_spec/runner_spec_json.h"

using polygraphy::RunnerSpec;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const RunnerSpec spec = polygraphy::parse_runner_spec(text);
    if (!(polygraphy::parse_runner_spec(spec.text()) == spec)) std::abort();
  } catch (const polygraphy::Error&) {
  }
  try {
    const RunnerSpec spec = polygraphy::parse_runner_spec_json(text);
    if (!(polygraphy::parse_runner_spec_json(polygraphy::runner_spec_json(spec)) == spec))
      std::abort();
  } catch (const polygraphy::Error&) {
  }
  return 0;
}
