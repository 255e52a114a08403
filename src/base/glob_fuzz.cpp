// Input: a pattern, a zero byte, a text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/glob.h"

using polygraphy::Glob;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t zero = input.find('\0');
  const std::string_view pattern = input.substr(0, zero);
  const std::string_view text =
      zero == std::string_view::npos ? std::string_view() : input.substr(zero + 1);

  const Glob glob(pattern);
  const bool matches = glob.matches(text);
  if (!Glob::is_pattern(pattern)) {
    require(matches == (pattern == text));
  }
  // A star at the end matches any rest, the empty one included.
  const Glob open_ended(std::string(pattern) + "*");
  require(!matches || open_ended.matches(text));
  require(!matches || open_ended.matches(std::string(text) + "/x"));
  return 0;
}
