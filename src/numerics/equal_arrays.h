// Arrays that are equal byte for byte: their differences are known without computing them.
#pragma once

#include <cstddef>

#include "base/arrays/array.h"
#include "numerics/statistics.h"

namespace polygraphy {

// Whether both hold the same elements, byte for byte, in C order. Reads up to the first difference.
// False for strings and strided arrays.
bool same_bytes(const Array& a, const Array& b);

// Whether an element is 0, of either sign. `statistics`: those of `array`, which has no NaN. Reads
// up to the first zero, and nothing if the extremes decide.
bool has_zeros(const Array& array, const Statistics& statistics);

// compute_statistics() of an array of floating-point zeros that is not empty.
Statistics statistics_of_zeros(DataType dtype, const Shape& shape, size_t extra_quantiles);

}  // namespace polygraphy
