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

// The error of the least exact algorithm that engines compute a node with, as a multiple of the
// error of its sums: more than 1 for a convolution that may be Winograd's (A. Lavin, S. Gray, Fast
// Algorithms for Convolutional Neural Networks, 2016; B. Barabasz et al., Error Analysis and
// Improving the Accuracy of Winograd Convolution for Deep Neural Networks, 2020). O(1).
double algorithm_error(const graphsurgeon::Node& node, const std::vector<const Shape*>& inputs);

}  // namespace polygraphy
