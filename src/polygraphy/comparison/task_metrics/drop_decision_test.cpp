#include "polygraphy/comparison/task_metrics/drop_decision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

namespace polygraphy {
namespace {

using Answer = DropDecision::Answer;

constexpr int64_t kSamples = 5000;
constexpr double kLimit = 0.005;

// A data set in which the target is wrong where the reference is right for `worse` samples, and
// right where it is wrong for `better`.
struct Planted {
  int64_t worse, better;
  double drop() const { return static_cast<double>(worse - better) / kSamples; }
};

struct Tried {
  double right = 0, used = 0;  // shares of orders, and of samples on average
};

Tried tried(std::span<const Planted> sets, uint32_t seed, int orders) {
  Tried all;
  std::mt19937 random(seed);
  for (const Planted& set : sets) {
    std::vector<double> losses(kSamples, 0.0);
    std::fill_n(losses.begin(), set.worse, 1.0);
    std::fill_n(losses.begin() + set.worse, set.better, -1.0);
    for (int i = 0; i < orders; ++i) {
      std::ranges::shuffle(losses, random);
      DropDecision decision({.limit = kLimit, .draws = kSamples});
      for (const double loss : losses) {
        if (decision.answer() != Answer::kOpen) break;
        decision.add({.loss = loss});
      }
      const bool within = decision.answer() == Answer::kOpen ? decision.drop() <= kLimit
                                                             : decision.answer() == Answer::kWithin;
      all.right += within == (set.drop() <= kLimit) ? 1 : 0;
      all.used += static_cast<double>(decision.draws()) / kSamples;
    }
  }
  const double tries = static_cast<double>(sets.size()) * orders;
  return {all.right / tries, all.used / tries};
}

TEST(DropDecision, NeedsFewSamplesFarFromTheLimit) {
  constexpr Planted kFar[] = {{0, 0}, {5, 5}, {2, 6}, {100, 5}, {110, 10}, {150, 20}, {250, 10}};
  const Tried found = tried(kFar, 1, 15);
  EXPECT_GE(found.right, 0.95);
  EXPECT_LE(found.used, 0.20) << found.used;
}

TEST(DropDecision, IsRightNearTheLimit) {
  constexpr Planted kNear[] = {{25, 0}, {26, 0}, {30, 4}, {24, 0}, {27, 2}, {40, 14}};
  const Tried found = tried(kNear, 2, 15);
  EXPECT_GE(found.right, 0.95) << found.right;
}

// By how much either end of the interval is wrong at some time, at most as often as it may be.
TEST(DropDecision, HasTheDropOfTheSetInItsInterval) {
  std::mt19937 random(3);
  std::vector<double> losses(400, 0.0);
  std::fill_n(losses.begin(), 20, 1.0);
  std::fill_n(losses.begin() + 20, 8, -1.0);
  int above = 0, below = 0;
  constexpr int kOrders = 100;
  for (int i = 0; i < kOrders; ++i) {
    std::ranges::shuffle(losses, random);
    DropDecision decision({.limit = kLimit, .confidence = 0.9, .draws = 400});
    bool too_low = false, too_high = false;
    for (size_t k = 0; k < losses.size(); ++k) {
      decision.add({.loss = losses[k]});
      if (k % 20 != 0) continue;
      too_low |= decision.upper() < 0.03 - 1e-9;
      too_high |= decision.lower() > 0.03 + 1e-9;
    }
    above += too_high, below += too_low;
    EXPECT_NEAR(decision.upper(), 0.03, 1e-12);
    EXPECT_NEAR(decision.lower(), 0.03, 1e-12);
  }
  EXPECT_LE(above, 0.1 * kOrders + 10);
  EXPECT_LE(below, 0.1 * kOrders + 10);
}

TEST(DropDecision, AnswersWhereTheRestCannotMatter) {
  DropDecision decision({.limit = 0.5, .confidence = 0.999999, .draws = 10});
  for (int i = 0; i < 6; ++i) decision.add({.loss = 1});
  EXPECT_EQ(decision.answer(), Answer::kOpen);  // four gains would make it 0.2
  DropDecision all_worse({.limit = 0, .confidence = 0.999999, .draws = 10});
  for (int i = 0; i < 6; ++i) all_worse.add({.loss = 1});
  EXPECT_EQ(all_worse.answer(), Answer::kBeyond);
}

TEST(DropDecision, GivesNoAnswerIfNoneIsWanted) {
  DropDecision decision({.limit = kLimit, .confidence = 1, .draws = 10});
  for (int i = 0; i < 10; ++i) decision.add({.loss = 1});
  EXPECT_EQ(decision.answer(), Answer::kOpen);
  EXPECT_EQ(decision.drop(), 1);
}

// Losses per sequence, of 50 tokens each: nats, normally distributed.
Tried tried_unbounded(double mean, uint32_t seed, std::optional<int64_t> draws) {
  Tried all;
  constexpr int kOrders = 100, kSequences = 1000;
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(mean, 0.05);
  for (int i = 0; i < kOrders; ++i) {
    DropDecision decision({.limit = 0.02, .draws = draws, .bounded = false});
    double sum = 0;
    for (int k = 0; k < kSequences; ++k) {
      const double loss = noise(random);
      sum += loss;
      if (decision.answer() == Answer::kOpen) decision.add({.loss = 50 * loss, .weight = 50});
    }
    const bool within = decision.answer() == Answer::kOpen ? decision.drop() <= 0.02
                                                           : decision.answer() == Answer::kWithin;
    all.right += within == (sum / kSequences <= 0.02) ? 1 : 0;
    all.used += static_cast<double>(decision.draws()) / kSequences;
  }
  return {all.right / kOrders, all.used / kOrders};
}

TEST(DropDecision, DecidesOnLossesWithoutBounds) {
  for (const auto& draws : {std::optional<int64_t>(1000), std::optional<int64_t>()}) {
    for (const double mean : {0.0, 0.05}) {
      const Tried found = tried_unbounded(mean, 4, draws);
      EXPECT_GE(found.right, 0.95);
      EXPECT_LE(found.used, 0.2) << mean;
    }
    EXPECT_GE(tried_unbounded(0.018, 5, draws).right, 0.95);
  }
}

// One in 20 sequences loses half a nat per token; the others lose nothing.
TEST(DropDecision, IsRightAboutRareLosses) {
  std::mt19937 random(6);
  std::vector<double> losses(1000, 0.0);
  std::fill_n(losses.begin(), 50, 0.5);
  int right = 0;
  for (int i = 0; i < 100; ++i) {
    std::ranges::shuffle(losses, random);
    DropDecision decision({.limit = 0.02, .draws = 1000, .bounded = false, .unseen = 1});
    for (const double loss : losses) {
      if (decision.answer() == Answer::kOpen) decision.add({.loss = 50 * loss, .weight = 50});
    }
    right += decision.answer() == Answer::kWithin ? 0 : 1;  // the drop is 0.025
  }
  EXPECT_GE(right, 95);
}

TEST(DropDecision, WaitsForRareLosses) {
  DropDecision decision({.limit = kLimit, .bounded = false, .unseen = 1});
  for (int64_t i = 0; i < 500; ++i) decision.add({.loss = 0, .weight = 10});
  EXPECT_EQ(decision.answer(), Answer::kOpen);
  for (int64_t i = 0; i < 1500; ++i) decision.add({.loss = 0, .weight = 10});
  EXPECT_EQ(decision.answer(), Answer::kWithin);
}

}  // namespace
}  // namespace polygraphy
