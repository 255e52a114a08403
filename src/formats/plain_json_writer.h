// Arrays as nested JSON lists, as people and short scripts read them: NumPy's tolist().
#pragma once

#include <string>

#include "base/arrays/array_map.h"

namespace polygraphy {

// {"x": [[1.0, 2.5]], "n": [3]}: numbers have the digits that identify them in their type,
// floating-point numbers a point or an exponent; NaN and Infinity as Python writes them. Throws
// Error for complex numbers, which JSON lacks. O(elements).
std::string plain_json(const ArrayMap& tensors);

}  // namespace polygraphy
