// Small numbers beside large ones, by index: the scores of a detector beside its boxes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/locate/judging/noise.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

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

// Whether a group with this ratio makes the tensor differ. Behind steps, other rows are chosen, and
// all numbers of a row are others. O(nodes).
bool group_is_off(const WholeModel& model, const std::string& tensor, double ratio,
                  double threshold);

}  // namespace polygraphy
