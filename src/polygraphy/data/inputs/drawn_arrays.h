// Arrays of random numbers, drawn in the order in which NumPy draws them.
#pragma once

#include <utility>

#include "base/arrays/array.h"
#include "numerics/numpy_random.h"

namespace polygraphy {

// Of a type of integers or bool: from `low` to `high`, which the type holds.
Array draw_integers(NumpyRandom& random, DataType type, const Shape& shape, __int128 low,
                    __int128 high);

// Of any other known type: uniform numbers of the range, in double precision before they become the
// type's. Strings are their texts, and real and imaginary parts are drawn one after the other.
Array draw_numbers(NumpyRandom& random, DataType type, const Shape& shape,
                   std::pair<double, double> range);

}  // namespace polygraphy
