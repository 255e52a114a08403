#include "polygraphy/diagnosis/autotune/side_by_side.h"

#include <gtest/gtest.h>

#include <vector>

namespace polygraphy {
namespace {

TEST(IsFaster, WinsFourOfFivePairs) {
  const std::vector<double> old{5, 5, 5, 5, 5};
  EXPECT_TRUE(is_faster(std::vector<double>{4, 4, 4, 4, 4}, old));
  EXPECT_TRUE(is_faster(std::vector<double>{4, 9, 4, 4, 4}, old)) << "one slow moment";
  EXPECT_FALSE(is_faster(std::vector<double>{4, 9, 4, 9, 4}, old)) << "chance";
  EXPECT_FALSE(is_faster(old, old));
  EXPECT_TRUE(is_faster(std::vector<double>{1}, std::vector<double>{2}));
}

TEST(IsFaster, ASlowMachineHitsBoth) {
  EXPECT_TRUE(is_faster(std::vector<double>{1, 9, 1, 9, 1}, std::vector<double>{2, 10, 2, 10, 2}));
  // The pairs say no, whatever the median.
  EXPECT_FALSE(is_faster(std::vector<double>{1, 1, 1, 9, 9}, std::vector<double>{2, 2, 2, 1, 1}));
}

}  // namespace
}  // namespace polygraphy
