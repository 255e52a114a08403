#include "numerics/magnitude_histogram.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "numerics/block_reader.h"

namespace polygraphy {

MagnitudeHistogram magnitude_histogram(BlockSource& source) {
  MagnitudeHistogram histogram;
  std::map<int, int64_t> bins;
  std::vector<uint64_t> buffer(BlockSource::kBlockElements);
  for (int64_t start = 0; start < source.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, source.size() - start);
    const auto* block = read_as<double>(source, start, count, buffer);
    for (int64_t i = 0; i < count; ++i) {
      if (block[i] == 0) {
        ++histogram.zeros;
      } else if (!std::isfinite(block[i])) {
        ++histogram.non_finite;
      } else {
        ++bins[std::ilogb(block[i])];
      }
    }
  }
  if (bins.empty()) return histogram;
  histogram.least = bins.begin()->first;
  histogram.counts.resize(static_cast<size_t>(bins.rbegin()->first - histogram.least + 1));
  for (const auto& [exponent, count] : bins)
    histogram.counts[static_cast<size_t>(exponent - histogram.least)] = count;
  return histogram;
}

}  // namespace polygraphy
