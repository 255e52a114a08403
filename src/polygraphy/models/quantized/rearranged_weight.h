// A quantised weight with numbers that are moved or chosen before they are dequantised, as of an
// embedding, which Gather reads and, transposed, the last layer.
#pragma once

#include <optional>
#include <vector>

#include "graphsurgeon/ir/node.h"
#include "polygraphy/models/quantized/dequantized_weight.h"

namespace polygraphy {

struct RearrangedWeight {
  const graphsurgeon::Tensor* numbers = nullptr;      // a constant
  std::vector<const graphsurgeon::Node*> nodes = {};  // behind each other; at least one
};

// Of a DequantizeLinear with one scale, behind nodes that move numbers of their first input:
// Transpose, Gather, Reshape and the like. nullopt: another node, or other numbers. O(nodes).
std::optional<RearrangedWeight> rearranged_weight(const graphsurgeon::Node& dequantize);

}  // namespace polygraphy
