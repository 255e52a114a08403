// Finds numbers that become sizes, so that rounding them would change shapes.
#pragma once

#include <unordered_set>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/passes/float16_types.h"

namespace graphsurgeon {

struct Float16Sizes {
  // Nodes that compute sizes, or what results are counted by: of inputs, weights and shapes only.
  std::unordered_set<const Node*> kept;
  // Nodes whose results are sized or counted by what a network computes (Conv, MatMul, bodies ...).
  std::vector<const Node*> of_network;
};

// Looks back from each input that decides a shape. Nodes are sorted. O(nodes).
Float16Sizes find_sizes(const Model& model, const TensorTypes& types);

}  // namespace graphsurgeon
