#include "polygraphy/diagnosis/sensitivity/set_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy {
namespace {

using ::testing::DoubleNear;

// Two layers with errors of length 1 whose product is known.
SetProcess of_two(double persistence, double product) {
  SetProcess process({1, 1}, persistence);
  process.observe(0b01, {1});
  process.observe(0b10, {product, 1});
  return process;
}

TEST(SetProcess, SquaresAddUpWhereErrorsDoNotPersist) {
  EXPECT_DOUBLE_EQ(SetProcess({4, 9, 1}, 0).expect(0b011).square(), 13);
  EXPECT_DOUBLE_EQ(of_two(0, -1).expect(0b11).square(), 2);
}

TEST(SetProcess, ErrorsThatPersistHideEachOther) {
  EXPECT_THAT(of_two(1, -1).expect(0b11).square(), DoubleNear(0, 1e-6));
  EXPECT_THAT(of_two(1, 1).expect(0b11).square(), DoubleNear(4, 1e-6));
  const double half = of_two(0.8, -1).expect(0b11).square();
  EXPECT_GT(half, 0.1);
  EXPECT_LT(half, 1.9);
}

TEST(SetProcess, AnObservedSetIsKnown) {
  SetProcess process = of_two(0.5, 0);
  process.observe(0b11, {3, 0, 25});
  const SetProcess::State state = process.expect(0b11);
  EXPECT_THAT(state.known, DoubleNear(25, 1e-6));
  EXPECT_THAT(state.unknown, DoubleNear(0, 1e-6));
}

TEST(SetProcess, UpdatesWhatItExpected) {
  SetProcess process = of_two(0.7, -0.5);
  SetProcess::State state = process.expect(0b11);
  process.observe(0b11, {0.2, 0.1, 1.5});
  process.update(state);
  EXPECT_THAT(state.square(), DoubleNear(process.expect(0b11).square(), 1e-9));
  EXPECT_THAT(state.square(), DoubleNear(1.5, 1e-6));
}

TEST(SetProcess, FactorsMakeTheExpectedVector) {
  const SetProcess process = of_two(1, 0.25);
  const std::vector<double> factors = process.factors(process.expect(0b11));
  EXPECT_THAT(factors, ::testing::ElementsAre(DoubleNear(1, 1e-6), DoubleNear(1, 1e-6)));
}

TEST(SetProcess, SumsOfVectorsSuitPersistenceBetter) {
  SetProcess persisting = of_two(0.95, -0.9), independent = of_two(0.1, -0.9);
  persisting.observe(0b11, {0.1, 0.1, 0.2});
  independent.observe(0b11, {0.1, 0.1, 0.2});
  EXPECT_LT(persisting.misfit(), independent.misfit());
}

}  // namespace
}  // namespace polygraphy
