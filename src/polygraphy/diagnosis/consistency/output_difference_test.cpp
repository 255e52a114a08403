#include "polygraphy/diagnosis/consistency/output_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Array floats(std::initializer_list<float> values) {
  return Array::of<float>({static_cast<int64_t>(values.size())}, values);
}

std::optional<OutputDifference> difference(const Array& expected, const Array& observed) {
  return difference_of("y", expected, observed, {});
}

TEST(OutputDifferenceTest, TheSameBitsAreIdentical) {
  EXPECT_FALSE(difference(floats({1, 2}), floats({1, 2})));
  EXPECT_FALSE(difference(floats({}), floats({})));
}

TEST(OutputDifferenceTest, NaNsAreAllAlike) {
  EXPECT_FALSE(difference(floats({kNan, 1}), floats({-kNan, 1})));
  const auto torn = difference(floats({1, kNan}), floats({1, 2}));
  ASSERT_TRUE(torn);
  EXPECT_TRUE(torn->exceeds());
  EXPECT_THAT(torn->index, ElementsAre(1));
}

TEST(OutputDifferenceTest, ZerosOfOtherSignsAreWithinTheTolerance) {
  const auto zeros = difference(floats({0.0f}), floats({-0.0f}));
  ASSERT_TRUE(zeros);
  EXPECT_FALSE(zeros->exceeds());
  EXPECT_EQ(zeros->largest_absolute, 0);
}

TEST(OutputDifferenceTest, EitherToleranceIsEnough) {
  EXPECT_FALSE(difference(floats({1e6f}), floats({1e6f + 1}))->exceeds());  // relative
  EXPECT_FALSE(difference(floats({1e-7f}), floats({3e-7f}))->exceeds());    // absolute
  EXPECT_TRUE(difference(floats({1e-2f}), floats({1.1e-2f}))->exceeds());
}

TEST(OutputDifferenceTest, InfinitiesOfOneSignAreEqual) {
  EXPECT_FALSE(difference(floats({kInf}), floats({kInf})));
  EXPECT_TRUE(difference(floats({kInf}), floats({-kInf}))->exceeds());
  EXPECT_TRUE(difference(floats({kInf}), floats({1}))->exceeds());
}

TEST(OutputDifferenceTest, TheElementThatIsShownIsBeyondTheTolerance) {
  // The second is the farthest off in numbers, but not relative to itself.
  const Array expected = Array::of<float>({2, 2}, {1, 1e9f, 3, 4});
  const Array observed = Array::of<float>({2, 2}, {1, 1e9f + 64, 3.5f, 4});
  const auto found = difference(expected, observed);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->index, ElementsAre(1, 0));
  EXPECT_EQ(found->expected, "3.0");
  EXPECT_EQ(found->observed, "3.5");
  EXPECT_EQ(found->beyond, 1);
  EXPECT_EQ(found->elements, 4);
  EXPECT_EQ(found->largest_absolute, 64);
}

TEST(OutputDifferenceTest, TheElementThatIsShownIsBeyondAToleranceOverOne) {
  // The first is the farther off relative to itself, but within the absolute tolerance.
  const auto found = difference_of("y", floats({1, 100}), floats({9, 111}), {10, 0});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->beyond, 1);
  EXPECT_THAT(found->index, ElementsAre(1));
}

TEST(OutputDifferenceTest, LargeIntegersAreNotRounded) {
  const Array a = Array::of<int64_t>({1}, {int64_t{1} << 60});
  const Array b = Array::of<int64_t>({1}, {(int64_t{1} << 60) + 1});
  ASSERT_TRUE(difference(a, b));
  EXPECT_EQ(difference(a, b)->largest_absolute, 1);
  EXPECT_FALSE(difference(a, b)->exceeds());
}

TEST(OutputDifferenceTest, TextsAreEqualOrNot) {
  const Array a = Array::from_strings({2}, {"cat", "dog"});
  const auto found = difference(a, Array::from_strings({2}, {"cat", "fox"}));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->exceeds());
  EXPECT_THAT(found->index, ElementsAre(1));
  EXPECT_EQ(found->observed, "'fox'");
}

TEST(OutputDifferenceTest, PartsOfComplexNumbers) {
  const std::vector<float> one = {1, 2}, other = {1, 3};
  const auto complex = [](const std::vector<float>& parts) {
    return Array::view(DataType::kComplex64, {1}, parts.data(), nullptr);
  };
  const auto found = difference(complex(one), complex(other));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->index, ElementsAre(0, 1));
}

TEST(OutputDifferenceTest, OtherShapesHaveNoFigures) {
  const auto found = difference(floats({1, 2}), floats({1}));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->exceeds());
  EXPECT_EQ(found->incomparable, "float32 (1,) instead of float32 (2,)");
}

TEST(WorstDifferenceTest, WhatExceedsIsWorseThanWhatDoesNot) {
  const std::function<OutputTolerance(const std::string&)> tolerance = [](const std::string& name) {
    return OutputTolerance{name == "wide" ? 10.0 : 1e-5, 0};
  };
  WorstDifference worst(tolerance);
  EXPECT_EQ(worst.verdict(), ConsistencyVerdict::kNotApplicable);
  worst.compare("wide", floats({}), floats({}));
  EXPECT_EQ(worst.verdict(), ConsistencyVerdict::kNotApplicable);
  EXPECT_TRUE(worst.empty());
  worst.compare("wide", floats({1}), floats({1}));
  EXPECT_EQ(worst.verdict(), ConsistencyVerdict::kIdentical);
  worst.compare("wide", floats({1}), floats({6}));
  EXPECT_EQ(worst.verdict(), ConsistencyVerdict::kWithinTolerance);
  worst.compare("narrow", floats({1}), floats({1.01f}));
  EXPECT_EQ(worst.verdict(), ConsistencyVerdict::kDiffers);
  EXPECT_EQ(worst.worst()->output, "narrow");
}

TEST(WorstDifferenceTest, OutputsThatAreMissing) {
  const std::function<OutputTolerance(const std::string&)> usual;
  WorstDifference worst(usual);
  worst.compare(ArrayMap{{"y", floats({1})}}, ArrayMap{{"z", floats({1})}});
  EXPECT_EQ(worst.verdict(), ConsistencyVerdict::kDiffers);
  EXPECT_THAT(worst.worst()->incomparable, HasSubstr("instead of"));
}

}  // namespace
}  // namespace polygraphy
