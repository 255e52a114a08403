// The numbers of a tensor, whatever its type.
#pragma once

#include <vector>

#include "base/arrays/convert.h"

namespace polygraphy {

// In C order. O(elements).
inline std::vector<double> numbers_of(const Array& array) {
  const Array wide = convert(array.contiguous_aligned(), DataType::kFloat64).contiguous_aligned();
  const auto numbers = wide.as<double>();
  return {numbers.begin(), numbers.end()};
}

}  // namespace polygraphy
