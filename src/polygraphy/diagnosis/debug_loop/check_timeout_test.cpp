#include "polygraphy/diagnosis/debug_loop/check_timeout.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

TEST(CheckTimeout, IsWhatWasAskedFor) {
  CheckTimeout limit(3, nullptr);
  limit.begin();
  limit.end();
  EXPECT_EQ(limit.limit(), 3);
  EXPECT_EQ(limit.reason(), ".");
}

TEST(CheckTimeout, TheFirstCheckHasOneToo) {
  CheckTimeout limit({}, nullptr);
  limit.begin();
  EXPECT_EQ(limit.limit(), 600);
  EXPECT_GT(limit.left(), 0);
}

TEST(CheckTimeout, IsLearnedByAllThatCheckSideBySide) {
  const auto learned = std::make_shared<LearnedTimeout>();
  CheckTimeout one({}, learned), other({}, learned);
  other.begin();
  one.begin();
  one.end();
  EXPECT_EQ(other.limit(), 10);
  EXPECT_EQ(one.limit(), 10);
}

TEST(CheckTimeout, OfOneCheckAloneIsItsOwn) {
  CheckTimeout one({}, nullptr), other({}, nullptr);
  one.begin();
  one.end();
  EXPECT_EQ(other.limit(), 600);
}

}  // namespace
}  // namespace polygraphy
