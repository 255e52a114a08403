// Whether a rewritten model still computes the same.
#pragma once

#include <string>

#include "base/arrays/array_map.h"

namespace polygraphy {

struct OutputAgreement {
  bool equal = true;       // within tolerances
  bool bit_equal = true;   // and bit by bit, NaN equal to any NaN
  std::string output;      // the first that differs, when not equal
  std::string difference;  // "element 3 of 12 is 2.5, was 1.5 (4 differ)": values of both sides
};

// `result` against `reference`: the same names, types and shapes, and element by element. Integers,
// booleans and strings are equal or not; floating-point elements may differ by the rounding that
// another order of evaluation brings: relative to the element and, near 0, to the greatest finite
// element of the reference. NaN equals NaN, an infinity itself. O(elements).
OutputAgreement agreement(const ArrayMap& reference, const ArrayMap& result);

}  // namespace polygraphy
