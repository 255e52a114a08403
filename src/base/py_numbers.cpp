#include "base/py_numbers.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/text.h"

namespace polygraphy {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// One or more digits with single underscores between them, appended to `out` without the
// underscores.
bool take_digits(std::string_view& text, std::string& out) {
  if (text.empty() || !is_digit(text[0])) return false;
  size_t i = 0;
  while (i < text.size()) {
    if (is_digit(text[i])) {
      out += text[i++];
    } else if (text[i] == '_' && i + 1 < text.size() && is_digit(text[i + 1])) {
      ++i;
    } else {
      break;
    }
  }
  text.remove_prefix(i);
  return true;
}

void take_sign(std::string_view& text, std::string& out) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return;
  if (text[0] == '-') out += '-';
  text.remove_prefix(1);
}

}  // namespace

std::optional<int64_t> parse_int(std::string_view text, bool* too_big) {
  text = strip(text);
  std::string digits;
  take_sign(text, digits);
  if (!take_digits(text, digits) || !text.empty()) return std::nullopt;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    if (too_big) *too_big = true;
    return digits[0] == '-' ? std::numeric_limits<int64_t>::min()
                            : std::numeric_limits<int64_t>::max();
  }
  return value;
}

std::optional<double> parse_float(std::string_view text) {
  text = strip(text);
  std::string plain;
  take_sign(text, plain);
  const std::string word = to_lower(text);
  if (word == "nan" || word == "inf" || word == "infinity")
    return std::strtod((plain + word).c_str(), nullptr);
  const bool whole = take_digits(text, plain);
  bool fraction = false;
  if (!text.empty() && text[0] == '.') {
    plain += '.';
    text.remove_prefix(1);
    fraction = take_digits(text, plain);
  }
  if (!whole && !fraction) return std::nullopt;
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    plain += 'e';
    text.remove_prefix(1);
    take_sign(text, plain);
    if (!take_digits(text, plain)) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  // Beyond the range of double: infinity or zero, as in Python. The process never sets a locale.
  return std::strtod(plain.c_str(), nullptr);
}

}  // namespace polygraphy
