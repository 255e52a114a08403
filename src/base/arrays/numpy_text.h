// NumPy's text form of arrays.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace polygraphy
