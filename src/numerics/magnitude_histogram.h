// How many elements have which order of magnitude.
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/block_source.h"

namespace polygraphy {

struct MagnitudeHistogram {
  int least = 0;                     // the first bin has magnitudes from 2^least to 2^(least + 1)
  std::vector<int64_t> counts = {};  // from there on, one power of two each
  int64_t zeros = 0, non_finite = 0;
};

// Of a type with a compute type. One pass.
MagnitudeHistogram magnitude_histogram(BlockSource& source);

}  // namespace polygraphy
