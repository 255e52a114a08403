#include "polygraphy/diagnosis/locate/models/in_type.h"

#include "base/arrays/convert.h"
#include "polygraphy/models/noise/tensor_error.h"

namespace polygraphy {

Array in_type(const Array& numbers, DataType type) {
  const bool both = is_floating(numbers.dtype()) && is_floating(type);
  return both && numbers.dtype() != type ? convert(numbers.contiguous_aligned(), type) : numbers;
}

bool exceeds_type(const Array& numbers, const Array& in_type) {
  return numbers.dtype() != in_type.dtype() &&
         measure_error(numbers, in_type).non_finite_mismatches > 0;
}

}  // namespace polygraphy
