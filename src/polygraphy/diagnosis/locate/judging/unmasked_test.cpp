#include "polygraphy/diagnosis/locate/judging/unmasked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// Empty: there is no mask.
std::vector<float> others(std::vector<float> numbers) {
  const Array array = Array::of<float>({static_cast<int64_t>(numbers.size())}, numbers);
  const auto pair = unmasked(array, array);
  if (!pair) return {};
  const auto floats = pair->first.as<float>();
  return {floats.begin(), floats.end()};
}

TEST(Unmasked, NumbersOfAMaskAreLeftOut) {
  EXPECT_THAT(others({1, -1e4f, 150, -9990}), ElementsAre(1, 0, 150, 0));
  // Of two masks.
  EXPECT_THAT(others({1, -1e9f, -3e8f, 2}), ElementsAre(1, 0, 0, 2));
}

TEST(Unmasked, OrdinaryNumbersAreNoMask) {
  EXPECT_THAT(others({1, -700, 2}), ElementsAreArray<float>({}));
  EXPECT_THAT(others({1, -1200, 2}), ElementsAre(1, 0, 2));
  EXPECT_THAT(others({1, 1e9f, 2}), ElementsAreArray<float>({})) << "boxes beside scores";
  EXPECT_THAT(others({1, -1e4f, 200}), ElementsAreArray<float>({})) << "they are near the others";
  EXPECT_THAT(others({1, -1e9f, -2e8f}), ElementsAreArray<float>({}));
  EXPECT_THAT(others({0, -1e9f, 0}), ElementsAreArray<float>({})) << "the mask by itself";
}

}  // namespace
}  // namespace polygraphy
