#include "formats/yaml_scalar.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/regular_expression.h"
#include "base/text.h"

namespace polygraphy {
namespace {

struct Form {
  YamlScalar type;
  RegularExpression pattern;
};

// The forms of YAML 1.1's types, as PyYAML recognises them: floats need a point and, behind an "e",
// a sign.
const std::array<Form, 7>& forms() {
  static const std::array<Form, 7> kForms = {{
      {YamlScalar::kBool,
       RegularExpression(
           "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF")},
      {YamlScalar::kFloat,
       RegularExpression(
           R"([-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?|)"
           R"([-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))")},
      {YamlScalar::kInteger,
       RegularExpression(
           R"([-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|)"
           R"([-+]?[1-9][0-9_]*(:[0-5]?[0-9])+)")},
      {YamlScalar::kMerge, RegularExpression("<<")},
      {YamlScalar::kNull, RegularExpression("~|null|Null|NULL|")},
      {YamlScalar::kDate,
       RegularExpression(
           R"([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?([Tt]|[ \t]+)[0-9][0-9]?)"
           R"(:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9][0-9]?(:[0-9]{2})?))?)")},
      {YamlScalar::kDefault, RegularExpression("=")},
  }};
  return kForms;
}

std::string quoted(std::string_view text) {
  return py_str_repr(text.substr(0, 80)) + (text.size() > 80 ? "…" : "");
}

[[noreturn]] void refuse(std::string_view text) {
  throw FormatError("the number " + quoted(text) + " does not fit in 64 bits");
}

// Digits of a base, or of base 60 with colons between them.
int64_t parse_integer(std::string_view text) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with("0b")) base = 2;
  if (digits.starts_with("0x")) base = 16;
  if (base != 10) {
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits.starts_with('0')) {
    base = 8;
  }
  // With the sign, for the lowest number has no positive counterpart.
  int64_t value = 0;
  for (const std::string_view part : split(digits, ':')) {
    int64_t piece = 0;
    const std::string written = (negative ? "-" : "") + std::string(part);
    const char* end = written.data() + written.size();
    const auto parsed = std::from_chars(written.data(), end, piece, base);
    if (parsed.ec != std::errc{} || parsed.ptr != end ||
        __builtin_mul_overflow(value, 60, &value) || __builtin_add_overflow(value, piece, &value)) {
      refuse(text);
    }
  }
  return value;
}

double parse_decimal(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  // Python reads too large numbers as infinity and too small ones as zero; C++ reads neither.
  if (parsed.ec == std::errc::result_out_of_range && parsed.ptr == end) {
    const size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != text.npos && text.substr(exponent + 1).starts_with('-');
    return tiny ? 0.0 : std::numeric_limits<double>::infinity();
  }
  if (parsed.ec != std::errc{} || parsed.ptr != end) refuse(text);
  return value;
}

double parse_float(std::string_view text) {
  std::string_view digits = text;
  const double sign = digits.starts_with('-') ? -1 : 1;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  const std::string low = to_lower(digits);
  if (low == ".inf") return sign * std::numeric_limits<double>::infinity();
  if (low == ".nan") return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  for (const std::string_view part : split(digits, ':')) value = value * 60 + parse_decimal(part);
  return sign * value;
}

}  // namespace

YamlScalar yaml_scalar_type(std::string_view text) {
  for (const Form& form : forms()) {
    if (form.pattern.matches(text)) return form.type;
  }
  return YamlScalar::kText;
}

YamlValue::Data yaml_scalar_value(YamlScalar type, std::string_view text) {
  if (type == YamlScalar::kBool) {
    const std::string low = to_lower(text);
    return low == "yes" || low == "true" || low == "on";
  }
  const std::string digits = replace_all(text, "_", "");
  if (type == YamlScalar::kInteger) return parse_integer(digits);
  return parse_float(digits);
}

std::string yaml_float(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  std::string text = py_float_repr(value);
  // A float without a point would be read as a text.
  const size_t exponent = text.find('e');
  if (exponent != text.npos && text.find('.') == text.npos) text.insert(exponent, ".0");
  return text;
}

}  // namespace polygraphy
