// The figures of a `Stats:` line, equal to NumPy's digit for digit as printed: mean and
// average magnitude accumulate in float32, standard deviation and variance are of the population,
// quantiles interpolate linearly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/block_source.h"

namespace polygraphy {

struct Statistics {
  DataType dtype = DataType::kUndefined;
  Shape shape;
  int64_t size = 0;
  bool computed = false;  // false: strings, complex; no figure below means anything
  bool has_nan = false;   // then every figure is NaN, and the places are those of the first NaN

  double mean = 0, std_dev = 0, variance = 0, median = 0;
  double min = 0, max = 0;
  int64_t argmin = 0, argmax = 0;  // flat C-order index of the first one
  double avg_magnitude = 0;
  double p90 = 0, p95 = 0, p99 = 0;     // not for bool
  std::vector<double> extra_quantiles;  // the requested ones, in that order
};

// Two passes over the source, front to back; quantiles by selection, not by sorting. Extra memory:
// under 1/16 of the elements (usually 1/40) plus a few MiB. `extra_quantiles` are in [0, 1]. Empty
// arrays.
Statistics compute_statistics(BlockSource& source, std::span<const double> extra_quantiles = {});
// The same; has `computed` false when the array's type has no compute type.
Statistics compute_statistics(const Array& array, std::span<const double> extra_quantiles = {});
// Several sources in the same two passes: block by block in turn where sizes are equal.
std::vector<Statistics> compute_statistics(std::span<BlockSource* const> sources,
                                           std::span<const double> extra_quantiles = {});

// `mean=…, …, p99=…`, after `<name> | Stats: ` when there is a name. One line, no line break at the
// end.
std::string to_text(const Statistics& statistics, std::string_view name = {});

// A flat C-order index as the tuple that NumPy prints: (), (3,), (1, 2).
std::string index_text(int64_t flat_index, std::span<const int64_t> shape);

}  // namespace polygraphy
