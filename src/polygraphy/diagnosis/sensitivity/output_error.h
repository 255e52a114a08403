// The relative error of tensors.
#pragma once

#include "base/arrays/array.h"

namespace polygraphy {

// Sums of squares: of the reference, and of the differences from it.
struct ErrorSums {
  double signal = 0, noise = 0;

  // norm(difference) / norm(reference).
  double relative() const;
  double decibels() const;  // signal to noise; infinite without noise
};

// Equal infinities and two NaNs do not differ; otherwise they differ infinitely, as do shapes.
// O(elements).
void add_error(const Array& reference, const Array& observed, ErrorSums& sums);

}  // namespace polygraphy
