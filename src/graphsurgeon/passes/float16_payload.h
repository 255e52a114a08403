// float32 values as float16, without new zeros and infinities.
#pragma once

#include <functional>
#include <string_view>

#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

struct Float16Limits {
  // Numbers closer to zero become this, numbers farther away become that, with their sign. Zeros,
  // infinities and NaNs stay. (As in onnxconverter-common; float16 itself ends at 65504.)
  float smallest = 1e-7f;
  float largest = 1e4f;
  // Called while values are read or written that the upper limit has changed: with the number that
  // is farthest from zero, the first time for each payload. Lives as long as the payloads.
  std::function<void(std::string_view tensor, float number)> on_clamped = {};
};

// Worked out while it is read. Shares `values`, which are float32; a splat gives a splat, sparse
// values are not taken. O(1) memory where `values` are mapped.
PayloadPtr float16_payload(PayloadPtr values, const Float16Limits& limits = {});

}  // namespace graphsurgeon
