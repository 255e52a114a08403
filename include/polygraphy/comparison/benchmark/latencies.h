// Figures of many runs of one model.
#pragma once

#include <span>

#include "base/record.h"

namespace polygraphy {

struct Latencies {
  double min = 0, mean = 0, p50 = 0, p90 = 0, p99 = 0, max = 0;
};
constexpr auto record_of(RecordOf<Latencies>) {
  using Of = Latencies;
  return record<Of>(
      "Latencies", "In seconds. Percentiles interpolate linearly, as NumPy's.",
      member("min", &Of::min, "Of all measured runs."), member("mean", &Of::mean, "The mean."),
      member("p50", &Of::p50, "The median."), member("p90", &Of::p90, "The 90th percentile."),
      member("p99", &Of::p99, "The 99th percentile."), member("max", &Of::max, "The maximum."));
}

// At least one value.
Latencies latencies_of(std::span<const double> seconds);

}  // namespace polygraphy
