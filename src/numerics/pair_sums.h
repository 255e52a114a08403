// Sums over two outputs, as the distance and quality metrics need them, in NumPy's
// order and precision: equal to the original's to the last bit, except that integers do not wrap.
#pragma once

#include <cstdint>

#include "base/arrays/array.h"

namespace polygraphy {

struct PairSums {
  enum Want : unsigned { kDifference = 1, kSquaresA = 2, kSquaresB = 4, kProduct = 8, kPeak = 16 };

  unsigned computed = 0;          // of Want
  int64_t size = 0;               // elements of each
  double squared_difference = 0;  // Σ(a - b)²: differences in the arrays' type, squares in float64
  double squares_a = 0;           // Σa² in float64
  double squares_b = 0;
  double product = 0;          // Σab, in the arrays' type; complex: Σ Re(a·b*)
  bool same_integers = false;  // with the product: integers, equal element by element
  double peak = 0;             // the largest a; NaN when there is one; complex: of magnitudes
};

// One pass over both arrays, in blocks. Types as in Difference (difference.h), where `possible`
// holds; equal numbers of elements.
PairSums compute_pair_sums(const Array& a, const Array& b, unsigned wanted);

}  // namespace polygraphy
