// Ranges of generated integers, from the numbers that users give.
#pragma once

#include <string>
#include <utility>

#include "base/arrays/dtype.h"

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

}  // namespace polygraphy
