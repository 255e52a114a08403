// NumPy's text form of arrays and Python's reprs that appear in messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/arrays/array.h"

namespace polygraphy {

struct NumpyPrintOptions {
  int precision = 8;
  int64_t threshold =
      1000;                // more elements than this are summarised with "..."; -1: never summarise
  int64_t edge_items = 3;  // shown at each end of a summarised dimension; negative: never summarise
  int64_t line_width = 75;  // characters; -1: break only at dimension ends
};

// str(array) of NumPy 2 for every element type (float8, bfloat16 … as ml_dtypes prints them;
// strings as arrays of Python str). "None" for an empty Array. O(elements shown).
std::string numpy_str(const Array& array, const NumpyPrintOptions& options = {});

std::string py_float_repr(double value);         // 1e-05, 100.0, nan, inf
std::string py_float32_repr(float value);        // shortest digits that identify the float32
std::string py_str_repr(std::string_view text);  // 'a\n' with Python's quoting rules
std::string py_list_repr(std::span<const std::string> texts);  // ['a', 'b']
std::string py_tuple_repr(std::span<const int64_t> values);    // (), (3,), (1, 2)
std::string py_list_repr(std::span<const int64_t> values);     // [1, 2]

// Python's "%.{digits}g": C's, but no sign on NaN. `digits` is at most 1000.
std::string format_g(double value, int digits);

}  // namespace polygraphy
