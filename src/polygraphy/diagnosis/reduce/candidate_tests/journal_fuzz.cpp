// Input: the lines of a journal after its first. A journal that can be read can be continued.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string path = "/tmp/journal_fuzz_" + std::to_string(::getpid()) + ".jsonl";
  const std::string heading =
      "{\"journal\": \"polygraphy debug reduce\", \"version\": 2, \"reduction\": \"fuzz\"}\n";
  polygraphy::write_file(path, heading + std::string(reinterpret_cast<const char*>(data), size),
                         polygraphy::Durability::kNone);
  try {
    polygraphy::Journal journal(path, "fuzz", true);
    journal.add({polygraphy::fingerprint("one more"), 0}, {.passed = true});
  } catch (const polygraphy::FormatError&) {
    // Damaged.
  }
  ::unlink(path.c_str());
  return 0;
}
