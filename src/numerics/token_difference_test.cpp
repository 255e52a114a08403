#include "numerics/token_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace polygraphy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TokenDifference of(std::vector<double> reference, std::vector<double> target) {
  return token_difference(reference, target);
}

TEST(TokenDifference, EqualRowsHaveNone) {
  const TokenDifference none = of({1, 3, 2}, {1, 3, 2});
  EXPECT_FALSE(none.flips());
  EXPECT_EQ(none.divergence, 0);
  EXPECT_EQ(none.probability_change, 0);
  EXPECT_EQ(none.rank, 0);
}

TEST(TokenDifference, ProbabilitiesOfTwoTokens) {
  // p = (0.75, 0.25), q = (0.5, 0.5)
  const TokenDifference two = of({std::log(3.0), 0}, {7, 7});
  EXPECT_NEAR(two.divergence, 0.75 * std::log(1.5) + 0.25 * std::log(0.5), 1e-15);
  EXPECT_NEAR(two.probability, 0.75, 1e-15);
  EXPECT_NEAR(two.probability_change, -0.25, 1e-15);
}

TEST(TokenDifference, AConstantInAllLogitsChangesNothing) {
  const TokenDifference moved = of({1, 3, 2}, {1001, 1003, 1002});
  EXPECT_NEAR(moved.divergence, 0, 1e-12);
  EXPECT_EQ(moved.rank, 0);
  EXPECT_EQ(moved.error, 0);
}

TEST(TokenDifference, AFlipHasARankAndMargins) {
  const TokenDifference flip = of({5, 4, 1}, {4, 4.5, 6});
  EXPECT_TRUE(flip.flips());
  EXPECT_EQ(flip.reference_token, 0);
  EXPECT_EQ(flip.target_token, 2);
  EXPECT_EQ(flip.rank, 2);
  EXPECT_EQ(flip.margin, 4);
  EXPECT_NEAR(flip.prominence, 5 - 10.0 / 3, 1e-15);
  // errors -1, 0.5, 5; their mean is 1.5
  EXPECT_NEAR(flip.error, std::sqrt((2.5 * 2.5 + 1 + 3.5 * 3.5) / 3), 1e-12);
}

TEST(TokenDifference, TheFirstOfEqualLogitsIsTheToken) {
  const TokenDifference tie = of({2, 2}, {2, 2});
  EXPECT_EQ(tie.reference_token, 0);
  EXPECT_EQ(tie.rank, 0);
  EXPECT_EQ(of({1, 2}, {2, 2}).rank, 1);
}

TEST(TokenDifference, MaskedTokensHaveNoProbability) {
  const TokenDifference masked = of({0, -kInfinity, 0}, {0, -kInfinity, 0});
  EXPECT_TRUE(masked.comparable);
  EXPECT_EQ(masked.divergence, 0);
  EXPECT_EQ(masked.lost, -1);
  EXPECT_EQ(of({0, 0}, {0, -kInfinity}).divergence, kInfinity);
  EXPECT_EQ(of({0, 0}, {0, -kInfinity}).lost, 1);
  EXPECT_EQ(of({0, -1e9}, {0, -kInfinity}).lost, -1) << "a mask in another number format";
}

TEST(TokenDifference, RowsThatAreNoDistributionsAreNotComparable) {
  EXPECT_FALSE(of({0, std::nan("")}, {0, 0}).comparable);
  EXPECT_FALSE(of({0, 0}, {kInfinity, 0}).comparable);
  EXPECT_FALSE(of({-kInfinity, -kInfinity}, {0, 0}).comparable);
}

}  // namespace
}  // namespace polygraphy
