// Texts of numbers, as Python reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace polygraphy {

// int(text) and float(text) of Python: surrounding blanks, signs, single underscores between
// digits; nan, inf and infinity in any case for floats. nullopt when Python would raise ValueError.
// An integer beyond 64 bits is reported by `too_big`; the value is then the nearest end of the
// range.
std::optional<int64_t> parse_int(std::string_view text, bool* too_big = nullptr);
std::optional<double> parse_float(std::string_view text);

}  // namespace polygraphy
