#include "polygraphy/diagnosis/autotune/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <utility>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The change of each replacement to a latency of 100; others are refused.
class Model {
 public:
  Model(std::initializer_list<std::pair<const size_t, double>> gains) : gains_(gains) {}

  MeasureCandidate measure() {
    return [this](const Replacements& best, const Replacements& candidate) {
      tried.push_back(candidate);
      if (tried.size() == interrupt_at) throw Interrupted();
      for (const size_t i : candidate) {
        if (!gains_.contains(i)) return std::optional<Duel>();
      }
      const double before = latency(best), after = latency(candidate);
      return std::optional<Duel>({before, after, after < before});
    };
  }

  std::map<Replacements, double> together;  // their gain beyond the sum
  std::vector<Replacements> tried;
  size_t interrupt_at = 0;

 private:
  double latency(const Replacements& chosen) const {
    double sum = 100;
    for (const size_t i : chosen) sum += gains_.at(i);
    const auto more = together.find(chosen);
    return more == together.end() ? sum : sum + more->second;
  }

  std::map<size_t, double> gains_;
};

TEST(SearchGreedy, KeepsWhatMakesTheModelFasterInOrder) {
  Model model{{0, -10}, {1, 5}, {2, -20}, {3, 0}};
  const SearchResult found = search_greedy(4, model.measure());
  EXPECT_THAT(found.best, ElementsAre(0, 2));
  EXPECT_NEAR(found.ratio, 0.7, 1e-12);
  EXPECT_EQ(found.tried, 4);
  EXPECT_THAT(model.tried, ElementsAre(Replacements{0}, Replacements{0, 1}, Replacements{0, 2},
                                       Replacements{0, 2, 3}));
  EXPECT_TRUE(found.complete);
}

TEST(SearchGreedy, GoesOnBehindWhatIsRefused) {
  Model model{{1, -5}};
  const SearchResult found = search_greedy(3, model.measure());
  EXPECT_THAT(found.best, ElementsAre(1));
  EXPECT_EQ(found.tried, 3);
}

TEST(SearchGreedy, FindsNothingWhereNothingIsFaster) {
  Model model{{0, 0}, {1, 3}};
  const SearchResult found = search_greedy(2, model.measure());
  EXPECT_THAT(found.best, IsEmpty());
  EXPECT_EQ(found.ratio, 1);
  EXPECT_THAT(search_greedy(0, model.measure()).best, IsEmpty());
}

TEST(SearchGreedy, AnInterruptLeavesTheBestUntilThen) {
  Model model{{0, -10}, {1, -10}, {2, -10}};
  model.interrupt_at = 2;
  const SearchResult found = search_greedy(3, model.measure());
  EXPECT_TRUE(found.interrupted);
  EXPECT_THAT(found.best, ElementsAre(0));
}

TEST(SearchSubsets, FindsWhatIsFasterOnlyTogether) {
  Model model{{0, 1}, {1, 1}, {2, -2}};
  model.together[{0, 1}] = -50;
  const SearchResult found = search_subsets(3, {.threshold = 0.9}, model.measure());
  EXPECT_THAT(found.best, ElementsAre(0, 1));
  EXPECT_NEAR(found.ratio, 0.52, 1e-12);
  EXPECT_THAT(model.tried,
              ElementsAre(Replacements{0}, Replacements{1}, Replacements{2}, Replacements{0, 1},
                          Replacements{0, 2}, Replacements{1, 2}, Replacements{0, 1, 2}));
  EXPECT_TRUE(found.complete);
}

TEST(SearchSubsets, StopsBeyondTheThreshold) {
  Model model{{0, -10}, {1, -11}, {2, -50}};
  EXPECT_THAT(search_subsets(3, {.threshold = 0.1}, model.measure()).best, ElementsAre(1));
  EXPECT_EQ(model.tried.size(), 2u) << "an improvement of just the threshold is not beyond it";
  Model again{{0, -10}, {1, -11}};
  EXPECT_THAT(search_subsets(2, {.threshold = 0}, again.measure()).best, ElementsAre(0));
}

TEST(SearchSubsets, TriesNoMoreThanItMay) {
  Model model{{0, 1}, {1, 1}, {2, 1}};
  const SearchResult found = search_subsets(3, {.most = 4, .threshold = 1}, model.measure());
  EXPECT_EQ(model.tried.size(), 4u);
  EXPECT_FALSE(found.complete);
  Model all{{0, 1}, {1, 1}};
  EXPECT_TRUE(search_subsets(2, {.most = 3, .threshold = 1}, all.measure()).complete);
}

TEST(SearchSubsets, WhatIsRefusedAloneIsInNoLargerOne) {
  Model model{{0, 1}, {2, 1}};
  search_subsets(3, {.threshold = 1}, model.measure());
  EXPECT_THAT(model.tried,
              ElementsAre(Replacements{0}, Replacements{1}, Replacements{2}, Replacements{0, 2}));
}

}  // namespace
}  // namespace polygraphy
