// Input: a file of saved inputs or results; all of it is loaded.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "polygraphy/data/results/saved_document.h"

namespace {

using polygraphy::Error;
using polygraphy::SavedDocument;

template <typename F>
void survive(F load) {
  try {
    load();
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  survive([&] {
    const SavedDocument document(text, "input");
    survive([&] { document.require_feeds(); });
    survive([&] { document.require_results(); });
    for (size_t i = 0; i < document.feed_count(); ++i) {
      survive([&] {
        for (const auto& [name, array] : document.feed(i)) survive([&] { array.load(); });
      });
    }
    for (size_t r = 0; r < document.runners().size(); ++r) {
      for (size_t i = 0; i < document.runners()[r].iterations.size(); ++i) {
        survive([&] { document.iteration(r, i).load(); });
      }
    }
  });
  return 0;
}
