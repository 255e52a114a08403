// The number of terms in a node's sums.
#pragma once

#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/node.h"

namespace polygraphy {

// The length of the node's sums, by the shapes of its inputs (null: not known) and its output; 1:
// no sums, or not known. The difference of sums in another order grows with the square root of
// this, in units of the format (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 4.2).
// O(1).
double reduction_length(const graphsurgeon::Node& node, const std::vector<const Shape*>& inputs,
                        const Shape& output);

}  // namespace polygraphy
