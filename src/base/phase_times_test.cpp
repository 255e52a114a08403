#include "base/phase_times.h"

#include <gtest/gtest.h>

#include <sstream>

namespace polygraphy {
namespace {

double now = 0;

// "outer 0+3, inner 1+1": begin and duration.
std::string text_of(const std::vector<PhaseTime>& times) {
  std::ostringstream text;
  for (const PhaseTime& time : times)
    text << (text.tellp() > 0 ? ", " : "") << time.phase << " " << time.begin << "+"
         << time.seconds;
  return text.str();
}

TEST(PhaseTimes, HasEachPhaseWithThoseInsideOfIt) {
  now = 10;
  const PhaseTimes times([] { return now; });
  {
    const ProgressPhase outer("outer");
    for (int i = 0; i < 2; ++i) {
      now += 1;
      ProgressPhase inner("inner", 5);
      now += 1;
      inner.step();
      now += 1;
    }
  }
  now += 1;
  const ProgressPhase last("last");
  now += 0.5;
  EXPECT_EQ(text_of(times.times()), "outer 0+6, inner 1+2, inner 4+2, last 7+0.5");
  EXPECT_EQ(times.seconds(), 7.5);
}

TEST(PhaseTimes, LeavesOtherWatchesTheirReports) {
  int reports = 0;
  const ProgressWatch watch([&](auto) { ++reports; });
  {
    const PhaseTimes times([] { return now; });
    const ProgressPhase phase("phase");
  }
  EXPECT_EQ(reports, 2);
}

}  // namespace
}  // namespace polygraphy
