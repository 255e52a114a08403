// Numbers of one model for another one, which has them in another type.
#pragma once

#include "base/arrays/array.h"

namespace polygraphy {

// The numbers in a floating-point type; others, and those of no such type, stay. O(elements).
Array in_type(const Array& numbers, DataType type);

// Whether that makes infinities of finite numbers. O(elements).
bool exceeds_type(const Array& numbers, const Array& in_type);

}  // namespace polygraphy
