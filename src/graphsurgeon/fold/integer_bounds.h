// Bounds for the elements of an integer tensor, derived from its producers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {

struct IntegerBounds {
  int64_t low = 0, high = 0;
};

// nullopt: no bounds are known. Looks a few producers back. O(small constants).
std::optional<IntegerBounds> integer_bounds(const Tensor& tensor, FoldContext& context);

// Of a sum, difference or product; the whole range where it overflows.
IntegerBounds combined_bounds(std::string_view op, const IntegerBounds& a, const IntegerBounds& b);

}  // namespace graphsurgeon
