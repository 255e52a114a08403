#include "cli/syntax/value_parsing.h"

#include <cmath>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/os/files/file_access.h"
#include "base/py_numbers.h"
#include "base/text.h"

namespace polygraphy::cli {
double Value::number() const {
  if (const auto* integer = std::get_if<int64_t>(&data)) return static_cast<double>(*integer);
  return std::get<double>(data);
}

std::string Value::repr() const {
  if (const auto* integer = std::get_if<int64_t>(&data)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&data)) return py_float_repr(*number);
  if (const auto* text = std::get_if<std::string>(&data)) return py_str_repr(*text);
  const auto& items = std::get<std::vector<Value>>(data);
  std::string result = "(";
  for (size_t i = 0; i < items.size(); ++i) result += (i ? ", " : "") + items[i].repr();
  return result + (items.size() == 1 ? ",)" : ")");
}

Value cast_value(std::string_view text) {
  text = strip(text);
  const auto is_bracket = [](char c) { return c == '[' || c == ']'; };
  if (!text.empty() && (is_bracket(text.front()) || is_bracket(text.back()))) {
    while (!text.empty() && is_bracket(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_bracket(text.back())) text.remove_suffix(1);
    // No nesting: the brackets are gone from the ends, and inner ones end up at the ends of the
    // pieces.
    std::vector<Value> items;
    for (const auto piece : split(text, ',')) items.push_back(cast_value(piece));
    return {std::move(items)};
  }
  bool too_big = false;
  if (const auto integer = parse_int(text, &too_big)) {
    if (too_big) return {*parse_float(text)};
    return {*integer};
  }
  if (const auto number = parse_float(text)) return {*number};
  const auto is_quote = [](char c) { return c == '\'' || c == '"'; };
  while (!text.empty() && is_quote(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_quote(text.back())) text.remove_suffix(1);
  return {std::string(text)};
}

bool is_shell_command(const std::string& word) {
  return word.find_first_of(" \t\n;|&$<>()`\"'*?\\") != std::string::npos && !is_there(word);
}

int64_t parse_bytes(std::string_view text) {
  std::string_view digits = strip(text);
  double unit = 1;
  if (!digits.empty()) {
    const size_t power = std::string_view("kmgt").find(to_lower(digits.substr(digits.size() - 1)));
    if (power != std::string_view::npos) {
      unit = std::ldexp(1.0, 10 * (static_cast<int>(power) + 1));
      digits.remove_suffix(1);
    }
  }
  const auto number = parse_float(digits);
  const double bytes = number ? *number * unit : -1;
  if (!(bytes >= 0 && bytes < 0x1p63)) {
    throw Error("Could not convert " + std::string(text) +
                " to a number of bytes. Please use either an integer (e.g. 16000000), scientific "
                "notation (e.g. 16e6), or a number with a valid suffix: K, M, G, or T (e.g. 16M).");
  }
  return static_cast<int64_t>(bytes);
}

IndexRange parse_index_range(std::string_view option, std::string_view text) {
  constexpr std::string_view kTo = "..";
  const size_t to = text.find(kTo);
  const auto first = parse_int(text.substr(0, to));
  const auto last = to == text.npos ? first : parse_int(text.substr(to + kTo.size()));
  if (first && last && *first >= 0 && *last >= *first) return {*first, *last};
  throw Error(std::string(option) + ": invalid range '" + std::string(text) + "'",
              "A range is a number from 0 on, or the first and the last one: 0..9.");
}

OrderedMap<std::string> parse_key_values(const std::vector<std::string>& tokens) {
  OrderedMap<std::string> result;
  for (const auto& token : tokens) {
    const size_t colon = token.rfind(':');
    if (colon == std::string::npos) {
      result.set("", token);
    } else {
      result.set(token.substr(0, colon), token.substr(colon + 1));
    }
  }
  return result;
}

}  // namespace polygraphy::cli
