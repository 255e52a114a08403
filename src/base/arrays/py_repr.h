// Python's repr() of scalars, texts and lists, as messages and files show them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polygraphy {

std::string py_float_repr(double value);         // 1e-05, 100.0, nan, inf
std::string py_float32_repr(float value);        // shortest digits that identify the float32
std::string py_str_repr(std::string_view text);  // 'a\n' with Python's quoting rules
std::string py_list_repr(std::span<const std::string> texts);  // ['a', 'b']
std::string py_tuple_repr(std::span<const int64_t> values);    // (), (3,), (1, 2)
std::string py_list_repr(std::span<const int64_t> values);     // [1, 2]

// Python's "%.{digits}g": C's, but no sign on NaN. `digits` is at most 1000.
std::string format_g(double value, int digits);

}  // namespace polygraphy
