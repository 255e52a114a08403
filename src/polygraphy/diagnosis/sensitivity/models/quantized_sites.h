// The layers of a model that is already quantised, and the layers of its reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"

namespace polygraphy {

struct QuantizedLayer {
  std::string node;           // as the quantised model calls it
  Array weight;               // in floating point again
  int64_t bytes = 0;          // of values, scales and zero points
  bool rounds_input = false;  // its other factor is quantised, too
};

// Constant weights behind DequantizeLinear, and those of MatMulNBits, QLinearMatMul, QLinearConv,
// QGemm, MatMulInteger, ConvInteger, DynamicQuantizeMatMul and MatMulIntegerToFloat. The nodes have
// names. O(model, with its weights).
std::vector<QuantizedLayer> quantized_layers(const graphsurgeon::Model& model);

// For each site of the reference, its layer in the quantised model: that with the same name, but
// for what quantisers append to it ("_quant", "_Q4"), else that of the same shape with the closest
// weight. nullopt: none is close.
std::vector<std::optional<QuantizedLayer>> match_quantized(const graphsurgeon::Model& reference,
                                                           const std::vector<Site>& sites,
                                                           const graphsurgeon::Model& quantized);

}  // namespace polygraphy
