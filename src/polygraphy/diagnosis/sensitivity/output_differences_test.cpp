#include "polygraphy/diagnosis/sensitivity/output_differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::Gt;
using ::testing::SizeIs;

ArrayMap outputs(const std::vector<float>& y, const std::vector<float>& logits) {
  ArrayMap made;
  made.set("y", Array::of<float>({static_cast<int64_t>(y.size())}, std::span<const float>(y)));
  made.set("logits", Array::of<float>({1, static_cast<int64_t>(logits.size())},
                                      std::span<const float>(logits)));
  return made;
}

Differences differences(const SensitivityCheck& check, const std::vector<ArrayMap>& expected,
                        const std::vector<ArrayMap>& observed) {
  const ReferenceOutputs reference(expected, check);
  const std::vector<ValueMap> samples(expected.size());
  OutputDifferences sums({check, reference, samples});
  for (const ArrayMap& sample : observed) sums.add(sample);
  return sums.take();
}

TEST(OutputDifferences, AreInPartsOfTheNormOverAllSamples) {
  EXPECT_THAT(differences(ErrorLimit{}, {outputs({3}, {2}), outputs({4}, {0})},
                          {outputs({4}, {3}), outputs({2}, {0})}),
              ElementsAre(FloatEq(0.2F), FloatEq(0.5F), FloatEq(-0.4F), 0));
}

TEST(OutputDifferences, AreThoseOfTheSamplesSoFar) {
  EXPECT_THAT(
      differences(ErrorLimit{}, {outputs({1}, {1}), outputs({1}, {1})}, {outputs({1}, {1})}),
      SizeIs(2));
}

TEST(OutputDifferences, AreOfLogitsWhereTokensDecide) {
  const OutputCheck tokens{.metrics = {find_metric("tokens")}};
  EXPECT_THAT(differences(tokens, {outputs({1}, {3, 4})}, {outputs({9}, {3, 9})}),
              ElementsAre(0, FloatEq(1)));
}

TEST(OutputDifferences, AreLargeWithoutNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(differences(ErrorLimit{}, {outputs({1}, {1})}, {outputs({nan}, {1, 2})}),
              Each(Gt(100)));
}

TEST(OutputDifferences, AreSomeOfLargeOutputs) {
  const std::vector<float> many(100000, 1);
  EXPECT_LE(differences(ErrorLimit{}, {outputs(many, {1})}, {outputs(many, {1})}).size(), 4096);
}

}  // namespace
}  // namespace polygraphy
