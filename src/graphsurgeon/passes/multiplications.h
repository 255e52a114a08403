// The number of multiplications of a node, by its shapes.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Multiplications of a product of matrices or a convolution (MatMul, Gemm, Conv and their like); 0
// for other operators, and where a rank is not known. Open dimensions count as 1.
double multiplications(const Node& node);

}  // namespace graphsurgeon
