// Weights that a model stores as quantised numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/node.h"

namespace polygraphy {

struct DequantizedWeight {
  Array values;      // float32: the numbers that the node computes with
  Array half_steps;  // float32, the same shape: the largest error of rounding to the nearest
};

// Of a node that turns constants into numbers: DequantizeLinear (per tensor, per axis or in blocks;
// integers, float8 and float4) in the shape of its output, MatMulNBits (com.microsoft; 4 and 8
// bits, with or without g_idx) as the right-hand matrix [K, N], and of MatMulInteger its right-hand
// matrix, in units of its scale. nullopt: another node, or numbers that are not constant, or of a
// kind that is not known. Throws Error for external data that cannot be read. O(elements), 8 bytes
// each.
std::optional<DequantizedWeight> dequantized_weight(const graphsurgeon::Node& node);

// One of its numbers, which stands for (number - zero) * scale.
struct QuantizedNumber {
  int64_t element = 0;  // of dequantized_weight()
  int64_t group = 0;    // that has its scale and zero point
  float number = 0, zero = 0, scale = 0;
};

// Where groups lie: a channel has `blocks` of them, `stride` apart.
struct QuantizedGroups {
  int64_t count = 0, blocks = 1, stride = 1;

  int64_t block(int64_t group) const { return group / stride % blocks; }
  int64_t channel(int64_t group) const {
    return group / (stride * blocks) * stride + group % stride;
  }
};

// Of a node with integers: its groups, after `use` has got each number, in any order. nullopt: it
// has none, or they are floating-point numbers, or their scale is elsewhere (MatMulInteger). Throws
// as above. O(elements).
std::optional<QuantizedGroups> visit_quantized_numbers(
    const graphsurgeon::Node& node, const std::function<void(const QuantizedNumber&)>& use);

// The same of a DequantizeLinear with one constant scale, if it read these constants.
DequantizedWeight dequantized_with_one_scale(const graphsurgeon::Tensor& numbers,
                                             const graphsurgeon::Node& dequantize);

// Whether the node has one, without reading the numbers. O(1), and O(K) with g_idx. Throws as
// above.
bool has_dequantized_weight(const graphsurgeon::Node& node);

}  // namespace polygraphy
