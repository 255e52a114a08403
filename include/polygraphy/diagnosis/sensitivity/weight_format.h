// The number formats that weights can be quantised to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/arrays/dtype.h"
#include "base/error.h"

namespace polygraphy {

// A text does not name a format of weights.
inline constexpr ErrorCode kBadWeightFormat{"bad-weight-format"};

struct WeightFormat {
  std::string name = {};                 // "int8"
  DataType type = DataType::kUndefined;  // of the stored values
  // Values along the reduced axis that share a scale; 0: a scale for each channel.
  int64_t block = 0;
  bool per_tensor = false;   // one scale for the whole weight
  bool asymmetric = false;   // with zero points: values are unsigned
  bool activations = false;  // the layer's input is quantised, too: int8, one scale

  // Rounds to a smaller floating-point type without a scale: bf16, fp16.
  bool casts() const { return type == DataType::kBfloat16 || type == DataType::kFloat16; }
  // As parse_weight_format() reads it: "int4:block=32".
  std::string text() const;
};

// "int8", "int4", "fp8", "fp4", "bf16" or "fp16", and behind a colon, separated by commas:
// "block=N", "per-tensor", "asymmetric", "weights-only". int8 quantises the inputs of layers, too,
// unless they are "weights-only". int4 has blocks of 32 and fp4 of 16 values. Throws Error
// (kBadWeightFormat).
WeightFormat parse_weight_format(std::string_view text);

}  // namespace polygraphy
