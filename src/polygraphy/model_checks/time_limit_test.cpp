#include "polygraphy/model_checks/time_limit.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

TEST(TimeLimit, IsWhatWasAskedFor) {
  TimeLimit limit(3, nullptr);
  limit.begin();
  limit.end();
  EXPECT_EQ(limit.limit(), 3);
  EXPECT_EQ(limit.reason(), ".");
}

TEST(TimeLimit, TheFirstCheckHasOneToo) {
  TimeLimit limit({}, nullptr);
  limit.begin();
  EXPECT_EQ(limit.limit(), 600);
  EXPECT_GT(limit.left(), 0);
}

TEST(TimeLimit, IsLearnedByAllThatCheckSideBySide) {
  const auto learned = std::make_shared<LearnedLimit>();
  TimeLimit one({}, learned), other({}, learned);
  other.begin();
  one.begin();
  one.end();
  EXPECT_EQ(other.limit(), 10);
  EXPECT_EQ(one.limit(), 10);
}

TEST(TimeLimit, OfOneCheckAloneIsItsOwn) {
  TimeLimit one({}, nullptr), other({}, nullptr);
  one.begin();
  one.end();
  EXPECT_EQ(other.limit(), 600);
}

}  // namespace
}  // namespace polygraphy
