// A weight in a smaller number format.
#pragma once

#include <cstdint>

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/sensitivity/weight_format.h"

namespace polygraphy {

// As DequantizeLinear reads it: values of the weight's shape, with a scale for each channel, for
// each block along `axis`, or for all.
struct QuantizedWeight {
  Array values;
  Array scales;       // float32; none of a format that casts
  Array zero_points;  // of the type of values and the shape of scales; none if symmetric
  int64_t axis = 0;
  int64_t block = 0;  // 0: not in blocks

  int64_t bytes() const;
  // In float32. O(elements).
  Array dequantized() const;
};

// `channel`: the axis of output channels, `reduced`: the axis that blocks lie along. Values of
// symmetric integers are at most 127 of the largest magnitude (int8), or in blocks of int4 -8 of
// the value with the largest magnitude, as MatMulNBits has them. Values that are not finite become
// 0. O(elements).
QuantizedWeight quantize(const Array& weight, const WeightFormat& format, int64_t channel,
                         int64_t reduced);

// A range of activations as one scale and a zero point of int8.
struct ActivationRange {
  float scale = 1;
  int8_t zero_point = 0;

  // Rounds as QuantizeLinear does. O(elements).
  Array rounded(const Array& tensor) const;
};
ActivationRange activation_range(double smallest, double largest);

}  // namespace polygraphy
