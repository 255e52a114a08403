#include "polygraphy/diagnosis/sensitivity/choose_few.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

// Errors of quantised layers add up as vectors.
struct Layers {
  std::vector<int64_t> costs;
  std::vector<Differences> errors;

  Differences error(const std::vector<bool>& kept) const {
    Differences sum(errors.front().size());
    for (size_t i = 0; i < kept.size(); ++i) {
      for (size_t k = 0; k < sum.size() && !kept[i]; ++k) sum[k] += errors[i][k];
    }
    return sum;
  }
  double norm(const std::vector<bool>& kept) const {
    double square = 0;
    for (const float value : error(kept)) square += double{value} * value;
    return std::sqrt(square);
  }
  int64_t cost(const std::vector<bool>& kept) const {
    int64_t sum = 0;
    for (size_t i = 0; i < kept.size(); ++i) sum += kept[i] ? costs[i] : 0;
    return sum;
  }
  MeasuredSets measured() const {
    MeasuredSets sets{
        .alone = errors, .all = error(std::vector<bool>(costs.size())), .all_but = {}};
    for (size_t i = 0; i < costs.size(); ++i) {
      std::vector<bool> kept(costs.size());
      kept[i] = true;
      sets.all_but.push_back(error(kept));
    }
    return sets;
  }
  // `samples`: the parts of the differences that a failing trial has run.
  Choice choose(double limit, int64_t most, double samples = 1) const {
    return choose_few(
        costs, SetPrediction(measured()),
        [&](const std::vector<bool>& kept) {
          Trial trial{.passed = norm(kept) <= limit, .differences = error(kept)};
          const auto run = static_cast<double>(trial.differences.size()) * samples;
          if (!trial.passed) trial.differences.resize(static_cast<size_t>(run));
          return trial;
        },
        most);
  }
  int64_t cheapest(double limit) const {
    int64_t least = INT64_MAX;
    for (size_t bits = 0; bits < size_t{1} << costs.size(); ++bits) {
      std::vector<bool> kept(costs.size());
      for (size_t i = 0; i < kept.size(); ++i) kept[i] = (bits >> i & 1) != 0;
      if (norm(kept) <= limit) least = std::min(least, cost(kept));
    }
    return least;
  }
};

Layers random_layers(std::mt19937& random, size_t count, size_t outputs = 12) {
  std::normal_distribution<float> normal;
  Layers layers;
  for (size_t i = 0; i < count; ++i) {
    layers.costs.push_back(static_cast<int64_t>(1 + random() % 50));
    const auto scale = static_cast<float>(1 + random() % 8);
    Differences& error = layers.errors.emplace_back();
    for (size_t k = 0; k < outputs; ++k) error.push_back(scale * normal(random));
  }
  return layers;
}

TEST(ChooseFew, TheCheapOneStays) {
  const Layers layers{{100, 1, 1}, {{0.9F, 0, 0}, {0, 1, 0}, {0, 0, 0.1F}}};
  const Choice choice = layers.choose(0.95, 100);
  EXPECT_THAT(choice.kept, ElementsAre(false, true, false));
  EXPECT_TRUE(choice.cheapest);
}

TEST(ChooseFew, EverythingStaysUnderALimitOfZero) {
  EXPECT_THAT(Layers({{3, 5}, {{0.1F}, {0.2F}}}).choose(0, 100).kept, ElementsAre(true, true));
}

TEST(ChooseFew, OneLayerStays) {
  EXPECT_THAT(Layers({{3}, {{1.0F}}}).choose(0.5, 100).kept, ElementsAre(true));
}

TEST(ChooseFew, LayersWithoutCostsOrEffectsAreNoTrouble) {
  const Layers layers{{0, 7, 2}, {{0, 0}, {0, 0}, {1, 0}}};
  const Choice choice = layers.choose(0.5, 100);
  EXPECT_EQ(layers.cost(choice.kept), 2);
  EXPECT_TRUE(choice.cheapest);
}

TEST(ChooseFew, NoSetIsCheaper) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    const Layers layers = random_layers(random, 1 + random() % 8);
    const double all = layers.norm(std::vector<bool>(layers.costs.size()));
    const double limit = all * (1 + static_cast<double>(random() % 90)) / 100;
    const Choice choice = layers.choose(limit, 512);
    EXPECT_TRUE(choice.cheapest);
    EXPECT_LE(layers.norm(choice.kept), limit);
    EXPECT_EQ(layers.cost(choice.kept), layers.cheapest(limit));
  }
}

TEST(ChooseFew, FindsErrorsThatHideEachOther) {
  std::mt19937 random(5);
  for (int round = 0; round < 10; ++round) {
    Layers layers = random_layers(random, 12, 5);
    for (size_t k = 0; k < 5; ++k) layers.errors[7][k] = -layers.errors[2][k];
    const double limit = layers.norm(std::vector<bool>(12)) / 2;
    const Choice choice = layers.choose(limit, 64);
    EXPECT_LE(choice.tried, 64);
    EXPECT_EQ(layers.cost(choice.kept), layers.cheapest(limit));
  }
}

TEST(ChooseFew, LearnsFromTheFirstSamplesOfTrials) {
  std::mt19937 random(9);
  for (int round = 0; round < 10; ++round) {
    const Layers layers = random_layers(random, 12);
    const double limit = layers.norm(std::vector<bool>(12)) * 0.6;
    EXPECT_EQ(layers.cost(layers.choose(limit, 64, 0.25).kept), layers.cheapest(limit));
  }
}

// One pair passes, as no error shows: only trials of all sets prove that.
TEST(ChooseFew, ProvesByTryingAllSetsOfSixteenLayers) {
  Layers layers;
  for (int i = 0; i < 16; ++i) {
    layers.costs.push_back(100 + 7 * (i % 5));
    layers.errors.push_back({1});
  }
  int64_t tried = 0;
  const auto run = [&](const std::vector<bool>& kept) {
    ++tried;
    const auto count = std::count(kept.begin(), kept.end(), true);
    return Trial{.passed = count >= 9 || (count == 2 && kept[4] && kept[9]),
                 .differences = {static_cast<float>(16 - count)}};
  };
  const SetPrediction prediction(layers.measured());
  const Choice proved = choose_few(layers.costs, prediction, run, 1 << 16);
  EXPECT_TRUE(proved.cheapest);
  EXPECT_EQ(layers.cost(proved.kept), 256);
  EXPECT_EQ(proved.tried, tried + 1);
  const Choice quick = choose_few(layers.costs, prediction, run, 64);
  EXPECT_FALSE(quick.cheapest);
  EXPECT_LE(quick.tried, 64);
}

// For some of these numbers of trials, the last one passes and leaves nothing cheaper.
TEST(ChooseFew, SaysWhetherAllCheaperSetsWereTried) {
  std::mt19937 random(11);
  const Layers layers = random_layers(random, 9);
  for (int64_t most = 200; most <= 250; ++most) {
    std::set<std::vector<bool>> tried = {std::vector<bool>(9)};
    const auto tried_all_below = [&](int64_t cost) {
      for (unsigned bits = 0; bits < 512; ++bits) {
        std::vector<bool> kept(9);
        for (size_t i = 0; i < 9; ++i) kept[i] = (bits >> i & 1) != 0;
        if (layers.cost(kept) < cost && !tried.contains(kept)) return false;
      }
      return true;
    };
    const auto run = [&](const std::vector<bool>& kept) {
      tried.insert(kept);
      const bool passed = tried.size() % 40 == 0 || tried_all_below(layers.cost(kept));
      return Trial{.passed = passed, .differences = layers.error(kept)};
    };
    const Choice choice = choose_few(layers.costs, SetPrediction(layers.measured()), run, most);
    EXPECT_EQ(choice.cheapest, tried_all_below(layers.cost(choice.kept))) << most;
    EXPECT_LE(std::ssize(tried), most);
  }
}

TEST(ChooseFew, TakesTheLargestLimit) {
  std::mt19937 random(13);
  const Layers layers = random_layers(random, 10);
  const double limit = layers.norm(std::vector<bool>(10)) / 2;
  const Choice choice = layers.choose(limit, INT64_MAX);
  EXPECT_TRUE(choice.cheapest);
  EXPECT_EQ(layers.cost(choice.kept), layers.cheapest(limit));
}

TEST(ChooseFew, GivesUpWhereManyFailInARow) {
  Layers layers;
  for (int i = 0; i < 14; ++i) {
    layers.costs.push_back(10 + i);
    layers.errors.emplace_back(14)[static_cast<size_t>(i)] = 1;
  }
  const Choice choice = layers.choose(2.5, 400);
  EXPECT_FALSE(choice.cheapest);
  EXPECT_LT(choice.tried, 200);
  EXPECT_EQ(layers.cost(choice.kept), layers.cheapest(2.5));
}

}  // namespace
}  // namespace polygraphy
