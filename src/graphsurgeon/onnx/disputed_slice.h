// Where the standard and ONNX Runtime disagree about Slice.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace graphsurgeon {

// A negative step, and an end at the largest integer of either type: by the standard nothing is
// left, and ONNX Runtime takes everything from the start on. `ends` and `steps`: by axis.
inline bool is_disputed_slice(std::span<const int64_t> ends, std::span<const int64_t> steps) {
  for (size_t i = 0; i < ends.size() && i < steps.size(); ++i) {
    const bool is_largest = ends[i] == std::numeric_limits<int64_t>::max() ||
                            ends[i] == std::numeric_limits<int32_t>::max();
    if (is_largest && steps[i] < 0) return true;
  }
  return false;
}

}  // namespace graphsurgeon
