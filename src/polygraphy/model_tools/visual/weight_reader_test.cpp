#include "polygraphy/model_tools/visual/weight_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/arrays/array.h"

namespace polygraphy {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

TEST(WeightFigures, NumbersThatAreNotFiniteAreCountedApart) {
  const float inf = std::numeric_limits<float>::infinity();
  const WeightFigures figures =
      weight_figures(Array::of<float>({6}, {0, 2, std::nanf(""), inf, -inf, 4}));
  EXPECT_EQ(figures.min, 0);
  EXPECT_EQ(figures.max, 4);
  EXPECT_EQ(figures.mean, 2);
  EXPECT_NEAR(figures.std_dev, std::sqrt(8.0 / 3), 1e-12);
  EXPECT_EQ(figures.nan, 1);
  EXPECT_EQ(figures.infinite, 2);
  EXPECT_EQ(figures.zeros, 1.0 / 6);
  EXPECT_THAT(figures.first, ElementsAre("0.0", "2.0", "nan", "inf", "-inf", "4.0"));
}

TEST(WeightFigures, ManyHaveAHistogramAndTheirFirst) {
  std::vector<int64_t> values(240);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i);
  const WeightFigures figures = weight_figures(Array::of<int64_t>({240}, values));
  EXPECT_THAT(figures.bins, SizeIs(24));
  EXPECT_THAT(figures.bins, Each(10));
  EXPECT_THAT(figures.first, SizeIs(16));
  EXPECT_THAT(weight_figures(Array::of<int64_t>({100}, std::vector<int64_t>(100, 7))).bins,
              ElementsAre(100));
}

TEST(WeightFigures, NoneOfNothing) {
  EXPECT_THAT(weight_figures(Array::zeros(DataType::kFloat32, {0})).first, SizeIs(0));
}

}  // namespace
}  // namespace polygraphy
