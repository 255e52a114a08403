// Sums that another engine may compute in another order, or by another algorithm.
#pragma once

namespace polygraphy {

// The accumulation behind a tensor. Other engines may sum in another order, so longer sums have
// more noise.
struct Accumulation {
  double sum_length = 1;  // length of the longest reduction behind the tensor
  // integers computed from floating-point numbers, whose ties may round either way
  bool counts_floats = false;
  double algorithm = 1;  // the largest algorithm_error() behind the tensor
};

}  // namespace polygraphy
