#include "base/arrays/float_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/arrays/convert.h"

namespace polygraphy::text {
namespace {

// Reads "d.ddde±xx".
Decimal parse_scientific(std::string_view written) {
  Decimal result;
  if (written.front() == '-') {
    result.negative = true;
    written.remove_prefix(1);
  }
  const size_t e = written.find('e');
  for (const char c : written.substr(0, e)) {
    if (c != '.') result.digits += c;
  }
  written.remove_prefix(e + 1);
  if (written.front() == '+') written.remove_prefix(1);
  std::from_chars(written.data(), written.data() + written.size(), result.exponent);
  return result;
}

void drop_trailing_zeros(std::string& digits, size_t least) {
  while (digits.size() > least && digits.back() == '0') digits.pop_back();
}

// Rounded to `count` significant digits from the exact value, ties to even.
Decimal rounded(double value, int count) {
  std::array<char, 1200> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific, count - 1);
  assert(end.ec == std::errc{});
  return parse_scientific({buffer.data(), static_cast<size_t>(end.ptr - buffer.data())});
}

// Whether reading the digits gives `magnitude` again.
bool identifies(const Decimal& decimal, double magnitude, Precision precision) {
  const std::string written = decimal.digits.substr(0, 1) + '.' + decimal.digits.substr(1) + "0e" +
                              std::to_string(decimal.exponent);
  const char* const end = written.data() + written.size();
  if (precision == Precision::kSingle) {
    float value = 0;
    return std::from_chars(written.data(), end, value).ec == std::errc{} &&
           static_cast<double>(value) == magnitude;
  }
  double value = 0;
  if (std::from_chars(written.data(), end, value).ec != std::errc{}) return false;
  // So few digits cannot lie so close to the middle between two float16 that rounding twice
  // matters.
  if (precision == Precision::kHalf) {
    value = static_cast<double>(float16_to_float(double_to_float16(value)));
  }
  return value == magnitude;
}

// One unit of the last digit more or less.
Decimal stepped(Decimal decimal, bool up) {
  const char from = up ? '9' : '0';
  size_t i = decimal.digits.size();
  while (i > 0 && decimal.digits[i - 1] == from) decimal.digits[--i] = up ? '0' : '9';
  if (i > 0) {
    decimal.digits[i - 1] = static_cast<char>(decimal.digits[i - 1] + (up ? 1 : -1));
  } else {
    decimal.digits.insert(decimal.digits.begin(), '1');
    ++decimal.exponent;
  }
  if (decimal.digits.front() == '0' && decimal.digits.size() > 1) {
    decimal.digits.erase(0, 1);
    --decimal.exponent;
  }
  return decimal;
}

bool is_power_of_two(double value) {
  return (std::bit_cast<uint64_t>(value) & ((uint64_t{1} << 52) - 1)) == 0;
}

// The gap below a power of two is half the gap above it. Where only one of the two neighbouring
// decimals lies within half a gap, NumPy takes that one, even if it is the farther one.
Decimal rounded_as_numpy(double magnitude, Precision precision, int count) {
  Decimal nearest = rounded(magnitude, count);
  if (!is_power_of_two(magnitude) || identifies(nearest, magnitude, precision)) return nearest;
  for (const bool up : {true, false}) {
    Decimal other = stepped(nearest, up);
    if (identifies(other, magnitude, precision)) return other;
  }
  return nearest;
}

// <charconv> knows no half precision.
Decimal shortest_half(double magnitude) {
  for (int count = 1;; ++count) {
    Decimal candidate = rounded_as_numpy(magnitude, Precision::kHalf, count);
    if (identifies(candidate, magnitude, Precision::kHalf)) return candidate;
  }
}

}  // namespace

Decimal shortest(double value, Precision precision) {
  assert(std::isfinite(value));
  Decimal result;
  if (value != 0) {
    const double magnitude = std::abs(value);
    if (precision == Precision::kHalf) {
      result = shortest_half(magnitude);
    } else {
      std::array<char, 32> buffer;
      char* const begin = buffer.data();
      char* const end = begin + buffer.size();
      const auto written =
          precision == Precision::kSingle
              ? std::to_chars(begin, end, static_cast<float>(magnitude),
                              std::chars_format::scientific)
              : std::to_chars(begin, end, magnitude, std::chars_format::scientific);
      result = parse_scientific({begin, static_cast<size_t>(written.ptr - begin)});
    }
    drop_trailing_zeros(result.digits, 1);
  } else {
    result.digits = "0";
  }
  result.negative = std::signbit(value);
  return result;
}

std::string positional(double value, Precision precision, int places) {
  // Where whole numbers are exact, fixed notation has the digits that identify the value as it is,
  // without a detour over single digits.
  const double magnitude = std::abs(value);
  if (precision != Precision::kHalf && magnitude >= 1e-5 && magnitude < 1e7) {
    std::array<char, 48> buffer;
    char* const last = buffer.data() + buffer.size();
    char* begin = buffer.data();
    if (std::signbit(value)) *begin++ = '-';
    char* end =
        precision == Precision::kSingle
            ? std::to_chars(begin, last, static_cast<float>(magnitude), std::chars_format::fixed)
                  .ptr
            : std::to_chars(begin, last, magnitude, std::chars_format::fixed).ptr;
    char* point = std::find(begin, end, '.');
    if (end - point - 1 > places) {
      end = std::to_chars(begin, last, magnitude, std::chars_format::fixed, places).ptr;
      point = std::find(begin, end, '.');
      while (point != end && end[-1] == '0') --end;
    }
    if (point == end) *end++ = '.';
    return {buffer.data(), end};
  }

  Decimal decimal = shortest(value, precision);
  const int fraction = static_cast<int>(decimal.digits.size()) - 1 - decimal.exponent;
  std::string text;
  if (fraction > places) {
    std::array<char, 1200> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                   std::chars_format::fixed, places);
    text.assign(buffer.data(), end.ptr);
    if (places == 0) text += '.';
    while (text.back() == '0') text.pop_back();
  } else if (decimal.exponent < 0) {
    text = "0." + std::string(static_cast<size_t>(-decimal.exponent - 1), '0') + decimal.digits;
  } else {
    const auto integers = static_cast<size_t>(decimal.exponent) + 1;
    if (decimal.digits.size() < integers) decimal.digits.resize(integers, '0');
    text = decimal.digits.substr(0, integers) + '.' + decimal.digits.substr(integers);
  }
  return decimal.negative ? '-' + text : text;
}

Scientific scientific(double value, Precision precision, int least_places, int most_places) {
  Decimal decimal = shortest(value, precision);
  const int places = static_cast<int>(decimal.digits.size()) - 1;
  if (value == 0) {
    decimal.digits.resize(static_cast<size_t>(least_places) + 1, '0');
  } else if (places > most_places || places < least_places) {
    const bool negative = decimal.negative;
    const int wanted = places > most_places ? most_places : least_places;
    decimal = rounded_as_numpy(std::abs(value), precision, wanted + 1);
    drop_trailing_zeros(decimal.digits, static_cast<size_t>(least_places) + 1);
    decimal.negative = negative;
  }
  Scientific result;
  result.integer = (decimal.negative ? "-" : "") + decimal.digits.substr(0, 1);
  result.fraction = decimal.digits.substr(1);
  result.exponent = decimal.exponent;
  return result;
}

std::string exponent_text(int exponent, int least_digits) {
  std::string digits = std::to_string(std::abs(exponent));
  if (digits.size() < static_cast<size_t>(least_digits)) {
    digits.insert(0, static_cast<size_t>(least_digits) - digits.size(), '0');
  }
  return (exponent < 0 ? '-' : '+') + digits;
}

std::string scalar_text(double value, Precision precision, double upper) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double magnitude = std::abs(value);
  constexpr int kAllPlaces = 400;
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < upper)) {
    std::string text = positional(value, precision, kAllPlaces);
    if (text.back() == '.') text += '0';
    return text;
  }
  const Scientific parts = scientific(value, precision, 0, kAllPlaces);
  std::string text = parts.integer;
  if (!parts.fraction.empty()) text += '.' + parts.fraction;
  return text + 'e' + exponent_text(parts.exponent);
}

}  // namespace polygraphy::text
