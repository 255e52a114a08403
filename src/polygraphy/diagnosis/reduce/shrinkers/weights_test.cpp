#include <gmock/gmock.h>

#include "polygraphy/diagnosis/reduce/testdata/shrinker_test.h"

namespace polygraphy {
namespace {

TEST_F(ShrinkerTest, WeightsGetOneValueThroughout) {
  EXPECT_NE(shrink("weights", convolution(), has({"Conv"})), "");
  const auto& weight = *result_->graph->initializers()[0];
  EXPECT_EQ(weight.payload()->kind(), graphsurgeon::Payload::Kind::kSplat);
  EXPECT_EQ(weight.values().get_double(7), 1);
  EXPECT_EQ(asked_, 1);
}

TEST_F(ShrinkerTest, WeightsThatTheFailureNeedsStay) {
  EXPECT_EQ(shrink("weights", convolution(), has({"0.5,1.5,2.5"})), "");
}

}  // namespace
}  // namespace polygraphy
