// Figures of many runs of one model.
#pragma once

#include <span>

namespace polygraphy {

// In seconds. Percentiles interpolate linearly, as NumPy's.
struct Latencies {
  double min = 0, mean = 0, p50 = 0, p90 = 0, p99 = 0, max = 0;
};

// At least one value.
Latencies latencies_of(std::span<const double> seconds);

}  // namespace polygraphy
