// Groups of operators, each with a colour in pictures of graphs.
#pragma once

#include <string_view>

namespace polygraphy {

// "heavy" (Conv, MatMul), "norm", "activation", "move" (Reshape, Gather), "reduce", "quantize",
// "constant", or "" for all others.
std::string_view op_group(std::string_view op);

}  // namespace polygraphy
