// Detects NaNs and infinities.
#pragma once

#include "base/arrays/array.h"

namespace polygraphy {

struct NonFinite {
  bool nan = false, infinity = false;
  explicit operator bool() const { return nan || infinity; }
};

// Of floating point numbers, real or complex; other types have neither. One pass.
NonFinite non_finite(const Array& values);
// Whether any element is a finite number, such as one of another type. Ends at the first.
bool has_finite_number(const Array& values);

}  // namespace polygraphy
