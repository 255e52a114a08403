#include "polygraphy/diagnosis/search/marker_search.h"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace polygraphy {
namespace {

using testing::ElementsAre;

std::vector<int64_t> tried(MarkerOrder order, ReducePhase phase, int64_t steps,
                           const std::function<bool(int64_t)>& fails) {
  MarkerSearch search(order, phase, steps);
  std::vector<int64_t> indices;
  do {
    indices.push_back(search.index());
  } while (search.next(!fails(search.index())));
  return indices;
}

TEST(MarkerSearch, BisectionClosesInOnTheFirstFailingPrefix) {
  EXPECT_THAT(
      tried(MarkerOrder::kBisect, ReducePhase::kOutputs, 6, [](int64_t i) { return i >= 3; }),
      ElementsAre(3, 1, 2));
  EXPECT_THAT(tried(MarkerOrder::kBisect, ReducePhase::kOutputs, 6, [](int64_t) { return false; }),
              ElementsAre(3, 5));
}

TEST(MarkerSearch, BisectionOfInputsRunsTheOtherWay) {
  EXPECT_THAT(tried(MarkerOrder::kBisect, ReducePhase::kInputs, 4, [](int64_t) { return true; }),
              ElementsAre(2, 3));
  EXPECT_THAT(tried(MarkerOrder::kBisect, ReducePhase::kInputs, 6, [](int64_t) { return false; }),
              ElementsAre(3, 2, 1));
}

TEST(MarkerSearch, LinearTriesAll) {
  EXPECT_THAT(tried(MarkerOrder::kLinear, ReducePhase::kOutputs, 3, [](int64_t) { return true; }),
              ElementsAre(2, 1, 0));
  EXPECT_THAT(tried(MarkerOrder::kLinear, ReducePhase::kInputs, 3, [](int64_t) { return true; }),
              ElementsAre(0, 1, 2));
}

std::vector<int64_t> all_of(const Upcoming<int64_t>& upcoming, size_t most) {
  std::vector<int64_t> result;
  while (result.size() < most) {
    const auto next = upcoming();
    if (!next) break;
    result.push_back(*next);
  }
  return result;
}

TEST(MarkerSearch, TellsWhatMayComeNext) {
  const MarkerSearch outputs(MarkerOrder::kBisect, ReducePhase::kOutputs, 16);
  EXPECT_THAT(all_of(outputs.upcoming(true), 4), ElementsAre(12, 4, 14, 10));
  EXPECT_THAT(all_of(outputs.upcoming(false), 4), ElementsAre(4, 12, 2, 6));
  const MarkerSearch linear(MarkerOrder::kLinear, ReducePhase::kInputs, 4);
  EXPECT_THAT(all_of(linear.upcoming(true), 9), ElementsAre(1, 2, 3));
}

TEST(MarkerSearch, EstimatesWhatRemains) {
  EXPECT_EQ(MarkerSearch(MarkerOrder::kBisect, ReducePhase::kOutputs, 415).remaining(), 9);
  EXPECT_EQ(MarkerSearch(MarkerOrder::kLinear, ReducePhase::kOutputs, 415).remaining(), 415);
}

}  // namespace
}  // namespace polygraphy
