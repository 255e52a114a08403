#include "polygraphy/diagnosis/locate/pair_format.h"

#include <algorithm>

namespace polygraphy {

NumberFormat pair_format(std::optional<NumberFormat> one, std::optional<NumberFormat> other) {
  if (!one || !other) return one ? *one : other.value_or(NumberFormat::kFloat32);
  const int digits0 = significant_digits(*one), digits1 = significant_digits(*other);
  // Of formats with the same digits, the later one in the list holds fewer numbers.
  if (digits0 == digits1) return std::max(*one, *other);
  return digits0 < digits1 ? *one : *other;
}

}  // namespace polygraphy
