#include "base/arrays/py_repr.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/arrays/float_text.h"
#include "base/text.h"
#include "base/unicode_printable.h"

namespace polygraphy {
namespace {

void append_hex(std::string& out, char kind, uint32_t value, int digits) {
  out += '\\';
  out += kind;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    out += "0123456789abcdef"[value >> shift & 15];
  }
}

template <typename T, typename Text>
std::string joined(std::span<const T> values, Text text) {
  std::string result;
  for (const T& value : values) {
    if (!result.empty()) result += ", ";
    result += text(value);
  }
  return result;
}

std::string decimal(int64_t value) {
  return std::to_string(value);
}

}  // namespace

std::string py_float_repr(double value) {
  return text::scalar_text(value, text::Precision::kDouble, 1e16);
}

std::string py_float32_repr(float value) {
  return text::scalar_text(static_cast<double>(value), text::Precision::kSingle, 1e6);
}

std::string py_str_repr(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  std::string result(1, quote);
  while (!text.empty()) {
    const auto [value, length] = first_code_point(text);
    const std::string_view written = text.substr(0, length);
    text.remove_prefix(length);
    if (value == static_cast<char32_t>(quote) || value == '\\') {
      result += '\\';
      result += written;
    } else if (value == '\t') {
      result += "\\t";
    } else if (value == '\n') {
      result += "\\n";
    } else if (value == '\r') {
      result += "\\r";
    } else if (is_printable(value)) {
      result += written;
    } else if (value <= 0xff) {
      append_hex(result, 'x', value, 2);
    } else if (value <= 0xffff) {
      append_hex(result, 'u', value, 4);
    } else {
      append_hex(result, 'U', value, 8);
    }
  }
  return result + quote;
}

std::string py_list_repr(std::span<const std::string> texts) {
  return '[' + joined(texts, [](const std::string& text) { return py_str_repr(text); }) + ']';
}

std::string py_list_repr(std::span<const int64_t> values) {
  return '[' + joined(values, decimal) + ']';
}

std::string py_tuple_repr(std::span<const int64_t> values) {
  return '(' + joined(values, decimal) + (values.size() == 1 ? ",)" : ")");
}

std::string format_g(double value, int digits) {
  if (std::isnan(value)) return "nan";  // Python shows no sign
  std::array<char, 1200> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, digits);
  return {buffer.data(), end.ptr};
}

}  // namespace polygraphy
