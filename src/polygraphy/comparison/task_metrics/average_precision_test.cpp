#include "polygraphy/comparison/task_metrics/average_precision.h"

#include <gtest/gtest.h>

#include <cmath>

namespace polygraphy {
namespace {

constexpr Box kBox = {0, 0, 10, 10};

double mean_of(const AveragePrecision& precision, std::vector<int64_t> times) {
  return precision.mean(times);
}

TEST(AveragePrecision, IsOneForPerfectBoxes) {
  AveragePrecision precision;
  precision.add({{kBox, 1, 0.9}}, {{kBox, 1}});
  EXPECT_NEAR(mean_of(precision, {1}), 1, 1e-12);
}

// A box that covers 8 of 10 rows overlaps by 0.8: enough for 7 of 10 overlaps.
TEST(AveragePrecision, CountsOverlapsFromAHalfTo95Percent) {
  AveragePrecision precision;
  precision.add({{{0, 0, 10, 8}, 1, 0.9}}, {{kBox, 1}});
  EXPECT_NEAR(mean_of(precision, {1}), 0.7, 1e-12);
}

// Recall 0.5 is reached: 51 of 101 places.
TEST(AveragePrecision, MissesBoxesAndClassesThatAreNotFound) {
  AveragePrecision precision;
  precision.add({{kBox, 1, 0.9}}, {{kBox, 1}, {{20, 20, 30, 30}, 1}, {kBox, 2}});
  EXPECT_NEAR(mean_of(precision, {1}), (51 / 101.0 + 0) / 2, 1e-12);
}

TEST(AveragePrecision, MatchesABoxOnce) {
  AveragePrecision precision;
  precision.add({{kBox, 1, 0.5}, {kBox, 1, 0.9}}, {{kBox, 1}, {{20, 20, 30, 30}, 1}});
  EXPECT_NEAR(mean_of(precision, {1}), 51 / 101.0, 1e-12);
}

TEST(AveragePrecision, CountsImagesSeveralTimes) {
  AveragePrecision precision;
  precision.add({{kBox, 1, 0.9}}, {{kBox, 1}});
  precision.add({}, {{kBox, 1}});
  EXPECT_NEAR(mean_of(precision, {1, 0}), 1, 1e-12);
  EXPECT_NEAR(mean_of(precision, {0, 1}), 0, 1e-12);
  EXPECT_NEAR(mean_of(precision, {1, 3}), 26 / 101.0, 1e-12);  // recall 0.25
  EXPECT_TRUE(std::isnan(mean_of(precision, {0, 0})));
}

}  // namespace
}  // namespace polygraphy
