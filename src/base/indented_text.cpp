#include "base/indented_text.h"

#include <charconv>
#include <cstring>

namespace polygraphy {

namespace {

// Bytes with which a line break may begin: control characters, and the first bytes of U+0085,
// U+2028 and U+2029 in UTF-8.
bool may_begin_break(unsigned char byte) {
  return byte < 0x20 || byte == 0xc2 || byte == 0xe2;
}

// The first position from `i` on where a line break may begin; the text's size if there is no line
// break. Eight bytes at a time, because megabytes of text pass here.
size_t find_candidate(std::string_view text, size_t i) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;
  // A zero byte in `x` sets its high bit; bytes above the lowest such one may be set as well.
  const auto zero_bytes = [](uint64_t x) { return (x - kOnes) & ~x & kHighBits; };
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t x;
    std::memcpy(&x, text.data() + i, 8);
    const uint64_t control = (x - kOnes * 0x20) & ~x & kHighBits;
    if (control | zero_bytes(x ^ kOnes * 0xc2) | zero_bytes(x ^ kOnes * 0xe2)) break;
  }
  while (i < text.size() && !may_begin_break(static_cast<unsigned char>(text[i]))) ++i;
  return i;
}

// Bytes of the line break that `text` begins with; 0 when it does not.
size_t break_length(std::string_view text) {
  switch (text[0]) {
    case '\r':
      return text.starts_with("\r\n") ? 2 : 1;
    case '\n':
    case '\v':
    case '\f':
    case '\x1c':
    case '\x1d':
    case '\x1e':
      return 1;
    case '\xc2':
      return text.starts_with("\xc2\x85") ? 2 : 0;
    case '\xe2':
      return text.starts_with("\xe2\x80\xa8") || text.starts_with("\xe2\x80\xa9") ? 3 : 0;
    default:
      return 0;
  }
}

}  // namespace

void IndentedText::put_lines(std::string_view text, bool drop_last_break) {
  size_t line = 0;
  for (size_t i = find_candidate(text, 0); i < text.size();) {
    const size_t length = break_length(text.substr(i));
    if (length == 0) {
      i = find_candidate(text, i + 1);
      continue;
    }
    text_ += text.substr(line, i - line);
    line = i + length;
    if (line < text.size() || !drop_last_break) continue_line();
    i = find_candidate(text, line);
  }
  text_ += text.substr(line);
}

void IndentedText::put(int64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text_.append(digits, end);
}

std::string IndentedText::take() {
  const size_t end = text_.find_last_not_of(" \t\n\v\f\r\x1c\x1d\x1e\x1f");
  text_.resize(end == std::string::npos ? 0 : end + 1);
  return std::move(text_);
}

}  // namespace polygraphy
