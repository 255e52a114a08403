// The layers of a model that is already quantised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct QuantizedLayer {
  size_t position = 0;        // of its node in the main graph of the quantised model
  size_t part = 0;            // of a node with several weights: which, as Site::part counts
  std::string node = {};      // as the quantised model calls it
  std::string stored = {};    // the constant with the quantised values
  Array weight = {};          // in floating point again, as its node reads it
  int64_t reduced_axis = 0;   // of the weight, as Site counts: the node sums along it
  int64_t bytes = 0;          // of values, scales and zero points
  bool rounds_input = false;  // its other factor is quantised, too
};

// Constant weights behind DequantizeLinear (with Cast and Transpose of a matrix between), and those
// of MatMulNBits, QLinearMatMul, QLinearConv, QGemm, MatMulInteger, ConvInteger,
// DynamicQuantizeMatMul, MatMulIntegerToFloat and QMoE (of 4 and 8 bits). The nodes have names.
// O(model, with its weights).
std::vector<QuantizedLayer> quantized_layers(const graphsurgeon::Model& model);

// The node that multiplies the result of a MatMulInteger or ConvInteger by the scales of both
// factors, and the constant among these; null: not found.
struct ScaledResult {
  graphsurgeon::Node* product = nullptr;
  const graphsurgeon::Tensor* scale = nullptr;
};
ScaledResult scaled_result(graphsurgeon::Node& node);

// The DequantizeLinear whose values a tensor has, through Cast and Transpose of a matrix.
struct DequantizedTensor {
  graphsurgeon::Node* dequantizing = nullptr;  // null: none
  bool transposed = false;
  bool direct = true;  // there is no node between
};
DequantizedTensor dequantized_tensor(graphsurgeon::Tensor* tensor);

}  // namespace polygraphy
