#include "polygraphy/comparison/compare/metrics/shared/token_rows.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/thread_pool.h"

namespace polygraphy {
namespace {

constexpr int64_t kRows = 64;  // that are compared side by side

// Limits of a row whose elements have this noise: `threshold` times that.
RowLimits limits_of(std::span<const double> noise, const TokenDifference& difference,
                    double threshold) {
  double squares = 0;
  for (const double element : noise) squares += element * element;
  const double typical = squares / static_cast<double>(noise.size());
  // Few evaluations may find less than what is typical of an element.
  const auto square = [&](int64_t place) {
    const double element = noise[static_cast<size_t>(place)];
    return std::max(element * element, typical);
  };
  const double both = square(difference.reference_token) + square(difference.target_token);
  return {.margin = threshold * std::sqrt(both),
          .any = threshold * std::sqrt(2 * typical),
          .error = kOfRow * threshold * std::sqrt(typical)};
}

}  // namespace

void add_rows(const TokenSides& sides, TokenSummary& summary) {
  std::vector<TokenDifference> differences(kRows);
  std::vector<RowLimits> limits(kRows);
  for (int64_t start = 0; start < sides.reference.rows(); start += kRows) {
    const int64_t count = std::min(kRows, sides.reference.rows() - start);
    parallel_for(count, 8, [&](int64_t begin, int64_t end) {
      LogitRows::Reader reference(sides.reference), target(sides.target);
      std::optional<LogitRows::Reader> noise;
      if (sides.noise) noise.emplace(*sides.noise);
      for (int64_t i = begin; i < end; ++i) {
        const auto at = static_cast<size_t>(i);
        differences[at] = token_difference(reference.read(start + i), target.read(start + i));
        limits[at] = {.any = sides.any};
        if (noise && differences[at].comparable)
          limits[at] = limits_of(noise->read(start + i), differences[at], sides.threshold);
        limits[at].margin = std::max(limits[at].margin, sides.margin);
      }
    });
    for (int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<size_t>(i);
      if (!sides.counts || sides.counts(start + i))
        summary.add(start + i, differences[at], limits[at]);
    }
  }
}

}  // namespace polygraphy
