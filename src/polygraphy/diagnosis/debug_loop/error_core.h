// The part of a runtime's message about the failing node, without the part about the nodes around
// it.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy {

// ONNX Runtime puts the words of each node that holds a graph around those of the node inside: the
// same failure outside of an If has none of them. Names and signatures of nodes go, too.
std::string error_core(std::string_view line);

}  // namespace polygraphy
