#include "polygraphy/reduce/search/index_search.h"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace polygraphy {
namespace {

using testing::ElementsAre;

std::vector<int64_t> tried(ReduceMode mode, ReducePhase phase, int64_t steps,
                           const std::function<bool(int64_t)>& fails) {
  IndexSearch search(mode, phase, steps);
  std::vector<int64_t> indices;
  do {
    indices.push_back(search.index());
  } while (search.next(!fails(search.index())));
  return indices;
}

TEST(IndexSearch, BisectionClosesInOnTheFirstFailingPrefix) {
  EXPECT_THAT(
      tried(ReduceMode::kBisect, ReducePhase::kOutputs, 6, [](int64_t i) { return i >= 3; }),
      ElementsAre(3, 1, 2));
  EXPECT_THAT(tried(ReduceMode::kBisect, ReducePhase::kOutputs, 6, [](int64_t) { return false; }),
              ElementsAre(3, 5));
}

TEST(IndexSearch, BisectionOfInputsRunsTheOtherWay) {
  EXPECT_THAT(tried(ReduceMode::kBisect, ReducePhase::kInputs, 4, [](int64_t) { return true; }),
              ElementsAre(2, 3));
  EXPECT_THAT(tried(ReduceMode::kBisect, ReducePhase::kInputs, 6, [](int64_t) { return false; }),
              ElementsAre(3, 2, 1));
}

TEST(IndexSearch, LinearTriesAll) {
  EXPECT_THAT(tried(ReduceMode::kLinear, ReducePhase::kOutputs, 3, [](int64_t) { return true; }),
              ElementsAre(2, 1, 0));
  EXPECT_THAT(tried(ReduceMode::kLinear, ReducePhase::kInputs, 3, [](int64_t) { return true; }),
              ElementsAre(0, 1, 2));
}

TEST(IndexSearch, EstimatesWhatRemains) {
  EXPECT_EQ(IndexSearch(ReduceMode::kBisect, ReducePhase::kOutputs, 415).remaining(), 9);
  EXPECT_EQ(IndexSearch(ReduceMode::kLinear, ReducePhase::kOutputs, 415).remaining(), 415);
}

}  // namespace
}  // namespace polygraphy
