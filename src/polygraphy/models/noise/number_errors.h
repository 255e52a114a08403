// Errors of a range of numbers, and the sums that their norms follow from.
#pragma once

#include <cstdint>
#include <limits>

namespace polygraphy {

struct NumberErrors {
  // Sums over pairs of finite numbers.
  double reference2 = 0, observed2 = 0, product = 0, difference2 = 0;
  double largest = -1;  // difference; -1: no pair is finite
  double least_number = std::numeric_limits<double>::infinity();  // of the reference
  double largest_number = -std::numeric_limits<double>::infinity();
  // As in TensorError.
  int64_t non_finite_reference = 0, non_finite = 0, mismatches = 0;
  int64_t first_mismatch = -1, first_non_finite = -1;
  double ulps = 0;
  bool exact = true;
};

// Of the numbers from `begin` to `end`, of a format with `digits` significant ones; positions count
// from the first number of the arrays. The same for any instruction set. O(end - begin).
template <typename Number>
NumberErrors measure_numbers(const Number* reference, const Number* observed, int64_t begin,
                             int64_t end, int digits);
extern template NumberErrors measure_numbers(const float*, const float*, int64_t, int64_t, int);
extern template NumberErrors measure_numbers(const double*, const double*, int64_t, int64_t, int);

// Raises each of `largest` to the difference of the numbers there, if both are finite. `first`:
// none has a value yet, which counts as 0. O(count).
template <typename Number>
void raise_to_differences(const Number* a, const Number* b, int64_t count, float* largest,
                          bool first = false);
extern template void raise_to_differences(const float*, const float*, int64_t, float*, bool);
extern template void raise_to_differences(const double*, const double*, int64_t, float*, bool);

}  // namespace polygraphy
