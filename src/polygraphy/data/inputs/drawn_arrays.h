// Arrays of random numbers, drawn in the order in which NumPy draws them, and the ranges of
// integers among them.
#pragma once

#include <string>
#include <utility>

#include "base/arrays/array.h"
#include "numerics/numpy_random.h"

namespace polygraphy {

struct IntegerRange {
  __int128 low, high;  // wider than every type of integers
  std::string text;    // "[0, 1]", "[False, True]"
};

// The range for the input `name`, whose type is one of integers or bool. Throws Error for bounds
// that no type holds.
IntegerRange integer_range(const std::string& name, DataType type, std::pair<double, double> given);

// Throws Error unless there are integers in the range, and the type holds all of them.
void require_held(const std::string& name, DataType type, const IntegerRange& range);

// The error for a range, whose text is `range`.
[[noreturn]] void fail_range(const std::string& name, const std::string& range,
                             const std::string& why);

// Of a type of integers or bool: from `low` to `high`, which the type holds.
Array draw_integers(NumpyRandom& random, DataType type, const Shape& shape, __int128 low,
                    __int128 high);

// Of any other known type: uniform numbers of the range, in double precision before they become the
// type's. Strings are their texts, and real and imaginary parts are drawn one after the other.
Array draw_numbers(NumpyRandom& random, DataType type, const Shape& shape,
                   std::pair<double, double> range);

}  // namespace polygraphy
