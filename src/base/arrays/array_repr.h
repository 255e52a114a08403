// repr() of NumPy arrays, in which -vv prints the inputs and outputs of runners.
#pragma once

#include <string>

#include "base/arrays/array.h"

namespace polygraphy {

// `array([[1., 2.]], dtype=float32)`, lines broken at 75 characters, more than 1000 elements
// summarised.
std::string numpy_repr(const Array& array);

}  // namespace polygraphy
