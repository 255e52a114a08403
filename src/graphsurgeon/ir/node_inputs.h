// Inputs of a node, which may leave out those behind or between others.
#pragma once

#include <cstddef>

#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

// Null where the node has no such input, or its name is empty.
inline Tensor* input_at(const Node& node, size_t slot) {
  if (slot >= node.inputs().size() || node.inputs()[slot]->is_empty()) return nullptr;
  return node.inputs()[slot];
}

// Null for variables, too.
inline const Tensor* constant_at(const Node& node, size_t slot) {
  const Tensor* tensor = input_at(node, slot);
  return tensor && tensor->is_constant() ? tensor : nullptr;
}

}  // namespace graphsurgeon
