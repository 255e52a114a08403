// The number of multiplications of a node, by its shapes.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Multiplications of a MatMul, Gemm, Conv or ConvTranspose; 0 for other operators, and where a rank
// is not known. Open dimensions count as 1.
double multiplications(const Node& node);

}  // namespace graphsurgeon
