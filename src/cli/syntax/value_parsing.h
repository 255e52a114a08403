// Texts of option values: automatic casting, key:value tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/ordered_map.h"

namespace polygraphy::cli {

// Automatic casting: "[1,a]" -> list, "3" -> integer, "1e-3" -> float, else the text
// without quotes.
struct Value {
  std::variant<int64_t, double, std::string, std::vector<Value>> data;

  bool is_number() const { return data.index() < 2; }
  double number() const;     // only if is_number()
  std::string repr() const;  // Python's repr; a list as a tuple
};
Value cast_value(std::string_view text);

// Whether a word is a command for a shell rather than the name of a program: it has blanks or signs
// that a shell gives a meaning to, and no file is called so.
bool is_shell_command(const std::string& word);

// A number of bytes: "4096", "16e6", "1.5G"; K, M, G and T (any case) count in steps of
// 1024. Throws Error.
int64_t parse_bytes(std::string_view text);

// "3" or "0..9": the first and the last of a range of numbers from 0 on. Throws Error, which names
// the option.
struct IndexRange {
  int64_t first = 0, last = 0;
  int64_t size() const { return last - first + 1; }
};
IndexRange parse_index_range(std::string_view option, std::string_view text);

// `key:value` tokens: split at the last colon; without one the key is "". The last of
// equal keys wins and keeps the first one's place.
OrderedMap<std::string> parse_key_values(const std::vector<std::string>& tokens);

}  // namespace polygraphy::cli
