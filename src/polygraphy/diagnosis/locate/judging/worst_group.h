// Small numbers beside large ones, by index: the scores of a detector beside its boxes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/locate/noise.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// Thresholds that most numbers of a group may be off by: elements vary more than norms.
inline constexpr double kGroupThresholds = 3;

// The elements at one index of an axis.
struct ElementGroup {
  size_t axis = 0;
  int64_t index = 0;
  // Most of its elements are off by a tenth of their number, and by this multiple of their noise.
  double ratio = 0;
};

// The group with the largest ratio, of those with at least 8 elements; norms do not show its
// errors. Ratio 0: none, or the noise of elements is not known. `format`: of these numbers.
// O(elements * rank).
ElementGroup worst_group(const Array& reference, const Array& observed, const Noise& noise,
                         NumberFormat format);

}  // namespace polygraphy
