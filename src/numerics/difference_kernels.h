// The inner loops of differences: |a - b|, |a - b| / |b| and the verdict on each element in one
// pass, chosen for the processor at hand. Results are the same on every processor.
#pragma once

#include <cstdint>

#include "numerics/instruction_set.h"

namespace polygraphy {

template <typename T>
struct DifferenceParameters {
  T atol = 0, rtol = 0;
  T epsilon = 0;                  // stands in for a reference of 0
  bool infinities_equal = false;  // the same infinity on both sides counts as no difference
};

struct DifferenceCounts {
  int64_t mismatches = 0;  // elements with (absolute > atol or NaN) and (relative > rtol or NaN)
  int64_t zeros = 0;       // elements of b that are 0
};

// T: float, double.
template <typename T>
using DifferenceKernel = DifferenceCounts (*)(const T* a, const T* b, int count, T* absolute,
                                              T* relative,
                                              const DifferenceParameters<T>& parameters);
// For processors with `most`.
template <typename T>
DifferenceKernel<T> difference_kernel(InstructionSet most = instruction_set());

}  // namespace polygraphy
