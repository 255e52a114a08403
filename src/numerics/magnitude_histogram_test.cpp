#include "numerics/magnitude_histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MagnitudeHistogram of(const std::vector<float>& values) {
  const Array array = Array::of<float>({static_cast<int64_t>(values.size())}, values);
  ArraySource source(array);
  return magnitude_histogram(source);
}

TEST(MagnitudeHistogramTest, OneBinForEachPowerOfTwo) {
  const MagnitudeHistogram histogram = of({1.0f, 1.9f, -2.0f, 0.25f, 0.0f});
  EXPECT_EQ(histogram.least, -2);
  EXPECT_THAT(histogram.counts, ElementsAre(1, 0, 2, 1));
  EXPECT_EQ(histogram.zeros, 1);
}

TEST(MagnitudeHistogramTest, WhatIsNotFiniteIsCountedApart) {
  const float infinity = std::numeric_limits<float>::infinity();
  const MagnitudeHistogram histogram =
      of({infinity, -infinity, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_EQ(histogram.non_finite, 3);
  EXPECT_THAT(histogram.counts, IsEmpty());
}

TEST(MagnitudeHistogramTest, AllBlocksAreRead) {
  const MagnitudeHistogram histogram = of(std::vector<float>(20000, 3.0f));
  EXPECT_THAT(histogram.counts, ElementsAre(20000));
}

}  // namespace
}  // namespace polygraphy
