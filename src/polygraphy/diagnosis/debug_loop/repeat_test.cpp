#include "polygraphy/diagnosis/debug_loop/repeat.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

// Passes, but for every third round.
class EveryThirdFails : public Check {
 public:
  CheckResult run(const std::string&) override { return {.passed = ++rounds % 3 != 0}; }
  int rounds = 0;
};

LoopSummary repeated(const Until& until) {
  Logger silent;
  DebugLoop loop({}, silent);
  EveryThirdFails check;
  return repeat(until, loop, [&](int64_t) { return run_round(loop, check); }, silent);
}

TEST(RepeatTest, SoManyTimes) {
  const LoopSummary summary = repeated({.kind = Until::Kind::kCount, .count = 5});
  EXPECT_EQ(summary.rounds, 5);
  EXPECT_EQ(summary.passed, 4);
}

TEST(RepeatTest, OnceAtLeast) {
  EXPECT_EQ(repeated({.kind = Until::Kind::kCount, .count = 0}).rounds, 1);
  EXPECT_EQ(repeated({.kind = Until::Kind::kCount, .count = -3}).rounds, 1);
}

TEST(RepeatTest, UntilOnePassesOrFails) {
  EXPECT_EQ(repeated({.kind = Until::Kind::kGood}).rounds, 1);
  EXPECT_EQ(repeated({.kind = Until::Kind::kBad}).rounds, 3);
}

}  // namespace
}  // namespace polygraphy
