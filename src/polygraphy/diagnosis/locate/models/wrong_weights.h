// Quantised weights beside those of the model before it was quantised.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct WrongWeight {
  size_t position = 0;  // of the node that computes with it, in the main graph
  // "the scale of block 3 of channel 17 of 'w_Q4' is 0.022, but 0.011 by the float weight 'w'".
  std::string text = {};
};

// Weights with scales or zero points that those of `original` contradict (wrong_steps.h): of
// MatMulNBits, and of products, convolutions and Gather behind DequantizeLinear, whose
// result has a partner there that a like node makes. In the order of nodes. Nothing runs.
// `partners`: of tensors of `quantized` (tensor_partners.h). Throws Error for external data that
// cannot be read. O(nodes, and elements of weights).
std::vector<WrongWeight> wrong_weights(
    const graphsurgeon::Model& original, const graphsurgeon::Model& quantized,
    const std::unordered_map<std::string, std::string>& partners);

}  // namespace polygraphy
