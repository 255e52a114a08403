// The inner loops of statistics and histograms, for one element type each. Chosen once per process
// for the processor at hand; results are the same on every processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerics/instruction_set.h"

namespace polygraphy {

template <typename T>
struct Extremes {
  T min, max;
  bool has_nan;
};

// Thresholds of one classification: how many elements are at or above each, and which elements lie
// inside collecting intervals.
template <typename T>
struct Thresholds {
  // First the ends of the collecting intervals (a start and an end each, disjoint: an element is
  // inside when it is at or above an odd number of them), then those that only count. Both parts
  // are padded to a multiple of 4, the first one by pairs of equal values.
  std::vector<T> values;
  size_t collecting = 0;             // a multiple of 4
  std::vector<int64_t> at_or_above;  // as many as values
};

// Between the ten bins of a histogram.
constexpr int kInnerEdges = 9;

enum class Side { kBelow, kNotAbove };  // of a pivot

template <typename T>
struct SimdKernels {
  // NumPy's summation of up to 128 elements (eight running sums): out[0] of x, out[1] of |x|. float
  // and double only.
  void (*leaf_sums)(const T* x, int count, T* out, T unused);
  // out[0]: sum of (x - mean)², every step rounded to T.
  void (*leaf_squares)(const T* x, int count, T* out, T mean);
  // The same of eight adjacent parts of `count` elements each, a multiple of 8 up to 128, added up
  // as NumPy does: ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)).
  void (*eight_sums)(const T* x, int count, T* out, T unused);
  void (*eight_squares)(const T* x, int count, T* out, T mean);
  // count >= 1. With a NaN inside, min and max mean nothing. Among zeros, either sign.
  Extremes<T> (*extremes)(const T* x, int64_t count);
  // Adds to at_or_above, writes the collected elements to `out` (room for `count`), returns their
  // number.
  int64_t (*classify)(const T* x, int64_t count, Thresholds<T>& thresholds, T* out);
  // Puts the elements that are below the pivot (kBelow) or not above it (kNotAbove) before all
  // others and returns how many these are. `scratch` has room for `count`.
  int64_t (*partition)(T* x, int64_t count, T pivot, Side side, T* scratch);
  // Adds to at_or_above[k] how many elements are at or above edges[k], for kInnerEdges of them.
  void (*count_edges)(const T* x, int64_t count, const T* edges, int64_t* at_or_above);
};

// For processors with `most`. T: float, double, int64_t, uint64_t.
template <typename T>
const SimdKernels<T>& simd_kernels(InstructionSet most = instruction_set());

}  // namespace polygraphy
