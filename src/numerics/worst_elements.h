// The elements in which two outputs differ most, for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/arrays/array.h"

namespace polygraphy {

struct ElementDifference {
  Shape index;                // one number per dimension
  std::string first, second;  // the values, with the digits that identify them
  double difference = 0;      // |first - second|, NaN where it has no number; of texts: 1
};

// The elements with the greatest absolute differences, greatest first and NaN before all; equal
// ones in C order. Equal elements, including equal infinities, are left out. The arrays have one
// shape; empty for a text array beside another type. One pass, O(count) memory.
std::vector<ElementDifference> worst_elements(const Array& a, const Array& b, size_t count);

// The element at a flat C-order index as Python prints it: 0.5, -3, True, 'text'.
std::string element_text(const Array& array, int64_t flat_index);

}  // namespace polygraphy
