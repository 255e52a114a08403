// A device's part of a constant.
#pragma once

#include <cstdint>

#include "base/arrays/array.h"

namespace polygraphy {

// Part `index` of `parts` along the axis; `parts` divides its length. Throws Error for texts, and
// for elements smaller than a byte where parts do not begin at one. O(bytes of the part).
Array part_of(const Array& values, int64_t axis, int64_t index, int64_t parts);

}  // namespace polygraphy
