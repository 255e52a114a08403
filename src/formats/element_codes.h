// Arrays of types that NumPy lacks (bfloat16, float8, int4 …) as numbers that it has: one unsigned
// integer per element, int4 and int2 signed. Our JSON and .npz files hold this form.
#pragma once

#include <string>

#include "base/arrays/array.h"

namespace polygraphy {

// Views the array's bytes where they are not packed.
Array codes_of(const Array& array);

// The array of that type, which NumPy lacks. Throws FormatError naming `what` when the codes are
// not of the type that codes_of() gives.
Array from_codes(const Array& codes, DataType type, const std::string& what);

}  // namespace polygraphy
