// Ten-bin histograms, binned as NumPy does, and their text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numerics/block_source.h"

namespace polygraphy {

struct Histogram {
  static constexpr int kBins = 10;
  std::array<double, kBins + 1> edges{};
  std::array<int64_t, kBins> counts{};
};

// The common range of two outputs, or the extremes of one, usually from Statistics. Values outside
// are not counted.
using HistogramRange = std::pair<double, double>;

// One pass, or two when no range is given. nullopt for bool, for types without a compute type, and
// where the range is not finite (NaN or infinity in the data): such histograms have an empty text.
std::optional<Histogram> compute_histogram(BlockSource& source,
                                           std::optional<HistogramRange> range = std::nullopt);
// The same when the extremes of this very source are known already: saves the pass that looks for
// them. `own_min` and `own_max` must be the source's (not another's): NumPy rounds the edges
// differently from a given range.
std::optional<Histogram> compute_own_histogram(BlockSource& source, double own_min, double own_max);

// One of several histograms that are made in the same pass.
struct HistogramTask {
  BlockSource* source;
  HistogramRange range;
  bool own;     // the range is the source's extremes
  bool inside;  // all elements are known to be in the range, none is NaN: counting is cheaper
};
// In one pass, block by block in turn; all sources have equal sizes. Otherwise as above.
std::vector<std::optional<Histogram>> compute_histograms(std::span<const HistogramTask> tasks);

// `---- Histogram ----`, the heading and one line per bin, without a line break at the end. Nothing
// counted: "None". nullopt: empty.
std::string to_text(const std::optional<Histogram>& histogram);

}  // namespace polygraphy
