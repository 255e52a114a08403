#include "polygraphy/diagnosis/sensitivity/choose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

// Squares of the errors of quantised layers add up.
struct Layers {
  std::vector<int64_t> costs;
  std::vector<double> effects;

  double square(const std::vector<bool>& kept) const {
    double sum = 0;
    for (size_t i = 0; i < kept.size(); ++i) sum += kept[i] ? 0 : effects[i] * effects[i];
    return sum;
  }
  int64_t cost(const std::vector<bool>& kept) const {
    int64_t sum = 0;
    for (size_t i = 0; i < kept.size(); ++i) sum += kept[i] ? costs[i] : 0;
    return sum;
  }
  Choice choose(double limit, int64_t most = 1 << 20) const {
    return choose_kept(
        costs, effects,
        [&](const std::vector<bool>& kept) { return square(kept) <= limit * limit; }, most);
  }
};

TEST(Choose, NothingStaysIfNothingMustStay) {
  const Choice choice = Layers{{1, 1}, {0.1, 0.1}}.choose(1);
  EXPECT_THAT(choice.kept, ElementsAre(false, false));
  EXPECT_TRUE(choice.cheapest);
  EXPECT_EQ(choice.tried, 1);
}

TEST(Choose, TheCheapOneStays) {
  const Choice choice = Layers{{100, 1, 1}, {0.9, 1, 0.1}}.choose(0.95);
  EXPECT_THAT(choice.kept, ElementsAre(false, true, false));
  EXPECT_TRUE(choice.cheapest);
}

TEST(Choose, EverythingStaysUnderALimitOfZero) {
  EXPECT_THAT(Layers({{3, 5}, {0.1, 0.2}}).choose(0).kept, ElementsAre(true, true));
}

TEST(Choose, SaysWhenSetsWereNotTried) {
  Layers layers;
  for (int i = 0; i < 40; ++i) {
    layers.costs.push_back(1000 + i);
    layers.effects.push_back(1 + 0.01 * i);
  }
  const Choice choice = layers.choose(3, 200);
  EXPECT_FALSE(choice.cheapest);
  EXPECT_LE(choice.tried, 200);
  EXPECT_LE(layers.square(choice.kept), 9);
}

// One pair passes, as no error shows: only trials of all sets prove that.
TEST(Choose, OfFewLayersCheaperSetsAreTriedAsLongAsAllowed) {
  Layers layers;
  for (int i = 0; i < 12; ++i) {
    layers.costs.push_back(100 + 7 * (i % 5));
    layers.effects.push_back(1);
  }
  const auto passes = [](const std::vector<bool>& kept) {
    const auto count = std::count(kept.begin(), kept.end(), true);
    return count >= 9 || (count == 2 && kept[4] && kept[9]);
  };
  const Choice quick = choose_kept(layers.costs, layers.effects, passes, 64);
  EXPECT_FALSE(quick.cheapest);
  EXPECT_EQ(quick.tried, 64);
  const Choice proved = choose_kept(layers.costs, layers.effects, passes, 1 << 12);
  EXPECT_TRUE(proved.cheapest);
  EXPECT_EQ(layers.cost(proved.kept), 256);
}

// Against all sets, as many as are allowed.
TEST(Choose, NoSetIsCheaper) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    Layers layers;
    const size_t count = 1 + random() % 8;
    for (size_t i = 0; i < count; ++i) {
      layers.costs.push_back(static_cast<int64_t>(random() % 20));
      layers.effects.push_back(static_cast<double>(random() % 100) / 100);
    }
    const double limit = static_cast<double>(random() % 150) / 100;
    int64_t cheapest = INT64_MAX;
    for (size_t mask = 0; mask < size_t{1} << count; ++mask) {
      std::vector<bool> kept(count);
      for (size_t i = 0; i < count; ++i) kept[i] = (mask >> i & 1) != 0;
      if (layers.square(kept) <= limit * limit) cheapest = std::min(cheapest, layers.cost(kept));
    }
    const Choice choice = layers.choose(limit, int64_t{1} << count);
    EXPECT_TRUE(choice.cheapest);
    EXPECT_LE(choice.tried, int64_t{1} << count);
    EXPECT_LE(layers.square(choice.kept), limit * limit);
    EXPECT_EQ(layers.cost(choice.kept), cheapest);
  }
}

}  // namespace
}  // namespace polygraphy
