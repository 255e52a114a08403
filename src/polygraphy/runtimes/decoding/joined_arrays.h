// Arrays one behind the other.
#pragma once

#include <cstddef>
#include <vector>

#include "base/arrays/array.h"

namespace polygraphy {

// Along this axis: the arrays have one type and, but for it, one shape (asserted); at least one.
// Not for strings and packed types. O(bytes).
Array joined(const std::vector<Array>& arrays, size_t axis);
// The last `count` places along this axis; all if there are fewer. Not for strings and packed
// types. O(bytes).
Array last_of(const Array& array, size_t axis, int64_t count);

}  // namespace polygraphy
