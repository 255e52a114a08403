#include "polygraphy/diagnosis/search/marker_search.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <deque>
#include <iterator>

namespace polygraphy {
namespace {

int64_t ceil_log2(int64_t n) {
  return n <= 1 ? 0 : std::bit_width(static_cast<uint64_t>(n - 1));
}

}  // namespace

MarkerSearch::MarkerSearch(MarkerOrder order, ReducePhase phase, int64_t steps)
    : order_(order),
      phase_(phase),
      steps_(steps),
      good_(phase == ReducePhase::kOutputs ? 0 : steps),
      bad_(phase == ReducePhase::kOutputs ? steps : 0) {
  if (order == MarkerOrder::kBisect) {
    index_ = steps / 2;
    estimate_ = ceil_log2(steps);
  } else {
    index_ = phase == ReducePhase::kOutputs ? steps - 1 : 0;
    estimate_ = steps;
  }
}

bool MarkerSearch::next(bool passed) {
  ++tried_;
  if (order_ == MarkerOrder::kBisect) return bisect(passed);
  index_ += phase_ == ReducePhase::kOutputs ? -1 : 1;
  return index_ >= 0 && index_ < steps_;
}

// For each verdict on the present index, unless that is the end.
std::vector<MarkerSearch> MarkerSearch::successors(bool passes_rather) const {
  std::vector<MarkerSearch> result;
  for (const bool passed : {passes_rather, !passes_rather}) {
    MarkerSearch successor = *this;
    if (successor.next(passed)) result.push_back(successor);
    if (order_ == MarkerOrder::kLinear) break;  // verdicts make no difference
  }
  return result;
}

Upcoming<int64_t> MarkerSearch::upcoming(bool passes_rather) const {
  std::deque<MarkerSearch> searches;
  std::ranges::copy(successors(passes_rather), std::back_inserter(searches));
  return [searches, passes_rather]() mutable -> std::optional<int64_t> {
    if (searches.empty()) return std::nullopt;
    const MarkerSearch search = searches.front();
    searches.pop_front();
    std::ranges::copy(search.successors(passes_rather), std::back_inserter(searches));
    return search.index();
  };
}

// The last passing and the last failing step approach each other from either side.
bool MarkerSearch::bisect(bool passed) {
  const int64_t sum = passed ? index_ + bad_ : good_ + index_;
  (passed ? good_ : bad_) = index_;
  index_ = passed ? (sum + 1) / 2 : sum / 2;
  return std::abs(good_ - bad_) > 1;
}

}  // namespace polygraphy
