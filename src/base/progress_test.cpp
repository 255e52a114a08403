#include "base/progress.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace polygraphy {
namespace {

std::string text_of(std::span<const Progress> phases) {
  std::string text;
  for (const Progress& phase : phases)
    text += phase.phase + " " + std::to_string(phase.done) + (phase.total ? "!" : "") + ";";
  return text;
}

TEST(Progress, ReportsThePhasesThatAreUnderWay) {
  std::vector<std::string> told;
  const ProgressWatch watch([&](auto phases) { told.push_back(text_of(phases)); });
  {
    ProgressPhase outer("outer", 3);
    {
      ProgressPhase inner("inner");
      inner.step();
      report_progress({.phase = "file", .done = 7});
    }
    outer.at(2);
  }
  EXPECT_EQ(told,
            (std::vector<std::string>{"outer 0!;", "outer 0!;inner 0;", "outer 0!;inner 1;",
                                      "outer 0!;inner 1;file 7;", "outer 0!;", "outer 2!;", ""}));
}

TEST(Progress, AllWatchesOfAThreadReceive) {
  int first = 0, second = 0;
  const ProgressWatch watch([&](auto) { ++first; });
  {
    const ProgressWatch inner([&](auto) { ++second; });
    report_progress();
  }
  report_progress();
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 1);
}

TEST(Progress, AWatchThatFailsEndsNothing) {
  const ProgressWatch watch([](auto) { throw std::runtime_error("no terminal"); });
  ProgressPhase phase("phase");
  phase.step();
}

}  // namespace
}  // namespace polygraphy
