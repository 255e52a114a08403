// Sums that another engine may compute in another order, or by another algorithm.
#pragma once

#include <algorithm>
#include <cmath>

#include "polygraphy/diagnosis/locate/judging/rules.h"

namespace polygraphy {

// The accumulation behind a tensor. Other engines may sum in another order, so longer sums have
// more noise.
struct Accumulation {
  double sum_length = 1;  // length of the longest reduction behind the tensor
  // integers computed from floating-point numbers, whose ties may round either way
  bool counts_floats = false;
  double algorithm = 1;  // the largest algorithm_error() behind the tensor
  // Noise of float32 has all of this in it, node by node (NoiseOptions::factors).
  bool in_noise = false;
};

// The error of sums in another order, as a multiple of the noise of one rounding in float32.
inline double error_of_sums(const Accumulation& accumulation) {
  return std::max(1.0, std::sqrt(accumulation.sum_length) / rules::kBlocks) *
         accumulation.algorithm;
}

}  // namespace polygraphy
