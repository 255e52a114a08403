#include "formats/json_text.h"

#include "base/error.h"

namespace polygraphy {

std::string_view json_text(std::string_view bytes, const std::string& source) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (bytes.starts_with(kMark)) return bytes.substr(kMark.size());
  // The mark of these, or an ASCII character (JSON begins with one) with its zero bytes.
  const auto begins = [&](std::string_view with) { return bytes.starts_with(with); };
  const bool zero_follows = bytes.size() > 1 && (bytes[0] == '\0') != (bytes[1] == '\0');
  if (begins("\xff\xfe") || begins("\xfe\xff") || zero_follows ||
      begins(std::string_view("\0\0\xfe\xff", 4))) {
    throw FormatError(source + ": the text is UTF-16 or UTF-32, but JSON must be UTF-8.",
                      "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8.");
  }
  return bytes;
}

}  // namespace polygraphy
