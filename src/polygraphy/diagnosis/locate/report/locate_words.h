// Words that the texts and the table of locate share.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/text.h"

namespace polygraphy {

// In two digits.
inline std::string short_number(double value) {
  if (std::isinf(value)) return "inf";
  return value == 0 ? "0" : fmt::format("{:.2g}", value);
}

inline std::string counted(size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

inline std::string times(double ratio) {
  if (std::isinf(ratio)) return "inf×";
  return fmt::format("{:.3g}×", ratio);
}

// A name from a model must not break lines of a log: its lines could pass for others.
inline std::string one_line(std::string_view name) {
  return replace_all(name, "\n", "\\n");
}

}  // namespace polygraphy
