// Nodes for which engines may round the input to int8.
#pragma once

#include "graphsurgeon/ir/int_attribute.h"

namespace polygraphy {

// MatMulNBits of accuracy_level 4: the left matrix is rounded to steps that follow from its
// numbers.
inline bool takes_int8(const graphsurgeon::Node& node) {
  return node.op() == "MatMulNBits" && graphsurgeon::int_attribute(node, "accuracy_level", 0) == 4;
}

}  // namespace polygraphy
