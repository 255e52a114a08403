#include "polygraphy/diagnosis/sensitivity/set_prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace polygraphy {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// The second layer undoes half of the first one's error; the third has its own.
const std::vector<Differences> kAlone = {{2, 0, 0, 0, 0}, {-1, 0, 0, 0, 0}, {0, 0, 0, 0, 3}};

Differences sum_of(LayerBits set) {
  Differences sum(kAlone.front().size());
  for (size_t layer = 0; layer < kAlone.size(); ++layer) {
    for (size_t i = 0; i < sum.size() && (set >> layer & 1) != 0; ++i) sum[i] += kAlone[layer][i];
  }
  return sum;
}

double square_of(const Differences& differences) {
  double square = 0;
  for (const float difference : differences) square += double{difference} * double{difference};
  return square;
}

TEST(SetPrediction, SumsOfSquaresTakeLayersAsIndependent) {
  EXPECT_THAT(SetPrediction({.alone = kAlone}).sums_of_squares(),
              ElementsAre(0, 4, 1, 5, 9, 13, 10, 14));
}

TEST(SetPrediction, SumsOfVectorsLetErrorsHideEachOther) {
  EXPECT_THAT(SetPrediction({.alone = kAlone}).sums_of_vectors(),
              ElementsAre(0, DoubleNear(4, 1e-9), DoubleNear(1, 1e-9), DoubleNear(1, 1e-9),
                          DoubleNear(9, 1e-9), DoubleNear(13, 1e-9), DoubleNear(10, 1e-9),
                          DoubleNear(10, 1e-9)));
}

// Errors that all layers together do not add up to count for the sets with most of them.
TEST(SetPrediction, SumsOfVectorsEndAtWhatAllLayersMeasure) {
  const Differences all = {4, 0, 0, 0, 3};
  const std::vector<double> sums = SetPrediction({.alone = kAlone, .all = all}).sums_of_vectors();
  EXPECT_EQ(sums.front(), 0);
  EXPECT_THAT(sums.back(), DoubleNear(25, 1e-9));
  EXPECT_GT(sums[0b011], 1);
}

TEST(SetPrediction, KnowsTheSetsThatWereMeasured) {
  MeasuredSets measured{.alone = kAlone, .all = {4, 0, 0, 0, 3}};
  for (LayerBits layer = 0; layer < 3; ++layer)
    measured.all_but.push_back(sum_of(0b111 & ~(LayerBits{1} << layer)));
  const SetPrediction prediction(measured);
  EXPECT_EQ(prediction.process().observations(), 7u);
  EXPECT_THAT(prediction.process().expect(0b111).square(), DoubleNear(25, 1e-4));
  EXPECT_THAT(prediction.process().expect(0b110).square(), DoubleNear(10, 1e-4));
}

TEST(SetPrediction, LearnsFromATrial) {
  SetPrediction prediction({.alone = kAlone, .all = sum_of(0b111)});
  const double before = prediction.process().expect(0b011).square();
  EXPECT_GT(std::abs(before - 16), 1);
  prediction.learn(0b011, {4, 0, 0, 0, 0});
  EXPECT_THAT(prediction.process().expect(0b011).square(), DoubleNear(16, 1e-4));
}

// A trial that failed early: the other samples are as the process expects them.
TEST(SetPrediction, LearnsFromTheFirstSamples) {
  SetPrediction prediction({.alone = kAlone, .all = sum_of(0b111)});
  prediction.learn(0b101, {2});
  const double square = prediction.process().expect(0b101).square();
  EXPECT_GT(square, 4.1);
  EXPECT_LT(square, square_of(sum_of(0b101)) + 0.1);
}

TEST(SetPrediction, ALayerWithoutEffectAddsNothing) {
  SetPrediction prediction({.alone = {{1, 1}, {0, 0}}, .all = {}});
  EXPECT_THAT(prediction.sums_of_squares()[0b11], DoubleNear(2, 1e-9));
  EXPECT_THAT(prediction.sums_of_vectors()[0b11], DoubleNear(2, 1e-9));
}

}  // namespace
}  // namespace polygraphy
