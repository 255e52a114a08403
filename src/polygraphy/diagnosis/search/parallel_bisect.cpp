#include "polygraphy/diagnosis/search/parallel_bisect.h"

#include <numeric>

namespace polygraphy {
namespace {

void append(Part& part, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) part.push_back(i);
}

}  // namespace

bool ParallelBisect::prefix_fails(size_t size) {
  if (size == most_) return true;
  const auto [known, is_new] = prefixes_.try_emplace(size, false);
  if (is_new) {
    Part part(size);
    std::iota(part.begin(), part.end(), size_t{0});
    known->second = fails_(part);
  }
  return known->second;
}

size_t ParallelBisect::bisect(size_t passing, size_t failing) {
  while (failing - passing > 1) {
    const size_t middle = passing + (failing - passing) / 2;
    (prefix_fails(middle) ? failing : passing) = middle;
  }
  return failing;
}

ParallelBisect::Range ParallelBisect::narrow() {
  auto& [passing, failing] = likely_;
  while (failing - passing > 3) {
    const size_t middle = passing + (failing - passing) / 2;
    const size_t first_quarter = passing + (middle - passing) / 2;
    const size_t third_quarter = middle + (failing - middle) / 2;
    const bool in_first_half = prefix_fails(middle);
    Part front_halves(passing);
    std::iota(front_halves.begin(), front_halves.end(), size_t{0});
    append(front_halves, passing, first_quarter);
    append(front_halves, middle, third_quarter);
    const bool in_front_half = fails_(front_halves);
    const size_t quarter = in_first_half ? first_quarter : third_quarter;
    (in_first_half ? failing : passing) = middle;
    (in_front_half ? failing : passing) = quarter;
  }
  return likely_;
}

size_t ParallelBisect::prove() {
  const size_t likely = bisect(likely_.passing, likely_.failing);
  if (prefix_fails(likely) && (likely == 1 || !prefix_fails(likely - 1))) return likely;
  size_t passing = 0, failing = most_;
  for (const auto& [size, fails] : prefixes_) {
    if (fails) {
      failing = size;
      break;
    }
    passing = size;
  }
  return bisect(passing, failing);
}

}  // namespace polygraphy
