#include "base/visible_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace polygraphy {
namespace {

bool is_harmless_ascii(char c) {
  return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t';
}

// The bytes of a message's colour, or of its end, at the front of `text`; 0: it has no colour.
size_t colour_length(std::string_view text) {
  if (text.starts_with("\x1b[0m")) return 4;
  constexpr std::string_view kColour = "\x1b[38;5;";
  if (!text.starts_with(kColour)) return 0;
  const size_t end = text.find_first_not_of("0123456789", kColour.size());
  return end != text.npos && end > kColour.size() && text[end] == 'm' ? end + 1 : 0;
}

// A byte that is not UTF-8 is U+DC00 + byte: some terminals take those as controls, too.
std::string escape_of(char32_t c) {
  if (c >= 0xdc80 && c <= 0xdc9f) c -= 0xdc00;
  const bool is_control = c < ' ' || (c >= 0x7f && c <= 0x9f);
  if (is_control) return fmt::format("\\x{:02x}", static_cast<uint32_t>(c));
  return turns_text_around(c) ? fmt::format("\\u{:04x}", static_cast<uint32_t>(c)) : std::string();
}

}  // namespace

bool turns_text_around(char32_t c) {
  return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

std::string_view visible(std::string_view text, std::string& storage) {
  if (std::ranges::all_of(text, is_harmless_ascii)) return text;
  std::string result;
  while (!text.empty()) {
    size_t length = 1;
    std::string escape;
    if (text.starts_with("\r\n")) {
      length = 2;
    } else if (const size_t colour = colour_length(text); colour > 0) {
      length = colour;
    } else if (!is_harmless_ascii(text.front())) {
      const CodePoint first = first_code_point(text);
      length = first.length;
      escape = escape_of(first.value);
    }
    result += escape.empty() ? text.substr(0, length) : std::string_view(escape);
    text.remove_prefix(length);
  }
  storage = std::move(result);
  return storage;
}

}  // namespace polygraphy
