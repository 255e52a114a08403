#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "cli/syntax/job.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto job =
        polygraphy::cli::parse_job({reinterpret_cast<const char*>(data), size}, "job.json");
    static_cast<void>(polygraphy::cli::parse_job(polygraphy::cli::job_json(job), "job.json"));
  } catch (const polygraphy::Error&) {
  }
  return 0;
}
