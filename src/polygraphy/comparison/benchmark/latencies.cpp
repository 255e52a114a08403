#include "polygraphy/comparison/benchmark/latencies.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

namespace polygraphy {
namespace {

double percentile(std::span<const double> sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

}  // namespace

Latencies latencies_of(std::span<const double> seconds) {
  assert(!seconds.empty());
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::sort(sorted.begin(), sorted.end());
  Latencies result;
  result.min = sorted.front();
  result.max = sorted.back();
  result.mean =
      std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  result.p50 = percentile(sorted, 0.5);
  result.p90 = percentile(sorted, 0.9);
  result.p99 = percentile(sorted, 0.99);
  return result;
}

}  // namespace polygraphy
