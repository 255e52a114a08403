// How far a tensor is from what it should be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/arrays/array.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// Elements of which both numbers are finite count for the figures; the others are told apart.
struct TensorError {
  int64_t elements = 0;
  double reference_norm = 0;  // sqrt(Σ reference²)
  double observed_norm = 0;   // sqrt(Σ observed²)
  double product = 0;         // Σ reference * observed
  double norm = 0;            // sqrt(Σ (observed - reference)²)
  double largest = 0;         // of |observed - reference|
  int64_t worst = -1;         // where that is, in C order; -1: nowhere
  double worst_reference = 0, worst_observed = 0;
  double ulps = 0;                              // largest difference in steps of the format
  double least_number = 0, largest_number = 0;  // of the reference
  int64_t non_finite_reference = 0;             // NaNs and infinities
  int64_t non_finite = 0;                       // of the observed tensor
  // Elements of which one number is finite and the other is not, or which are different infinities,
  // or NaN and infinity; and the first of them.
  int64_t non_finite_mismatches = 0;
  int64_t first_mismatch = -1;
  // The first element that is not finite, in whichever array; -1: none.
  int64_t first_non_finite = -1;
  bool exact = true;              // bit by bit, but for NaNs, which are all alike
  std::string incomparable = {};  // why there are no figures: other shapes; empty: there are

  // norm / reference_norm: the noise-to-signal ratio. 0 where both are 0.
  double relative() const;
  double cosine() const;     // of the angle between both; 1 where both are 0
  double snr() const;        // decibels; infinite without an error
  double magnitude() const;  // of the reference: its largest |number|
};

// One pass. Integers of 64 bits count as the nearest of 32 bits, which is what engines without them
// have. Strings, and numbers of the same type, are compared for equality where there is no
// difference: a string that differs is 1. Sizes of steps are those of `format`, or of the element
// type where that is coarser. O(elements).
TensorError measure_error(const Array& reference, const Array& observed,
                          NumberFormat format = NumberFormat::kFloat32);

}  // namespace polygraphy
