// Functions with small results that engines compute less exactly than large ones.
#pragma once

#include "graphsurgeon/ir/node.h"

namespace polygraphy {

// The error of the function in float32, beside the error of rounding: a part of 1, as of a
// polynomial that is good to a part of its range, and a part of the input, as of x * sigmoid(x). 0:
// none.
struct Approximation {
  double of_one = 0, of_input = 0;
  bool positive = false;  // it has no results below 0
};

// O(1).
Approximation approximation_of(const graphsurgeon::Node& node);

}  // namespace polygraphy
