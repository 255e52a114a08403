// Arrays one behind the other.
#pragma once

#include <cstddef>
#include <vector>

#include "base/arrays/array.h"

namespace polygraphy {

// Along this axis: the arrays have one type and, but for it, one shape (asserted); at least one.
// Not for strings and packed types. O(bytes).
Array joined(const std::vector<Array>& arrays, size_t axis);

}  // namespace polygraphy
