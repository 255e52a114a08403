#include "polygraphy/diagnosis/autotune/is_faster.h"

#include <algorithm>

#include "polygraphy/comparison/benchmark/latencies.h"

namespace polygraphy {

bool is_faster(std::span<const double> candidate, std::span<const double> than) {
  if (!(latencies_of(candidate).p50 < latencies_of(than).p50)) return false;
  const size_t pairs = std::min(candidate.size(), than.size());
  size_t won = 0;
  for (size_t i = 0; i < pairs; ++i) won += candidate[i] < than[i];
  return 5 * won >= 4 * pairs;
}

}  // namespace polygraphy
