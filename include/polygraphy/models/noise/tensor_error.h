// The error of a tensor against its reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/arrays/array.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// Figures include elements that are finite on both sides; other elements are counted separately.
struct TensorError {
  int64_t elements = 0;
  double reference_norm = 0;  // sqrt(Σ reference²)
  double observed_norm = 0;   // sqrt(Σ observed²)
  double product = 0;         // Σ reference * observed
  double norm = 0;            // sqrt(Σ (observed - reference)²)
  double largest = 0;         // of |observed - reference|
  int64_t worst = -1;         // its index in C order; -1: no such element
  double worst_reference = 0, worst_observed = 0;
  double ulps = 0;                              // largest difference in steps of the format
  double least_number = 0, largest_number = 0;  // of the reference
  int64_t non_finite_reference = 0;             // NaNs and infinities
  int64_t non_finite = 0;                       // NaNs and infinities of the observed tensor
  // Elements that are finite on one side only, different infinities, or NaN on one side and
  // infinity on the other; and the first of them.
  int64_t non_finite_mismatches = 0;
  int64_t first_mismatch = -1;
  // The first non-finite element of either array; -1: all are finite.
  int64_t first_non_finite = -1;
  bool exact = true;  // bitwise equal; all NaNs count as equal
  // the reason for missing figures: other shapes; empty: the figures are valid
  std::string incomparable = {};

  // norm / reference_norm: the noise-to-signal ratio. 0 if both are 0.
  double relative() const;
  double cosine() const;     // of the angle between both; 1 if both are 0
  double snr() const;        // decibels; infinite without an error
  double magnitude() const;  // the largest |number| of the reference
};

// One pass. 64-bit integers count as the nearest 32-bit ones, because some engines have no 64-bit
// integers. Values without a difference, such as strings, are compared for equality; unequal ones
// have a difference of 1. Steps are those of `format`, or of the element type if that is coarser.
// O(elements).
TensorError measure_error(const Array& reference, const Array& observed,
                          NumberFormat format = NumberFormat::kFloat32);

}  // namespace polygraphy
