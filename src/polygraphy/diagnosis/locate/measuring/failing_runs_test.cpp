#include "polygraphy/diagnosis/locate/measuring/failing_runs.h"

#include <gtest/gtest.h>

#include "base/testdata/recording_log.h"

namespace polygraphy {
namespace {

TEST(FailingRuns, ManyShortOnesAreSaidAsLongOnesAre) {
  RecordingLog log;
  FailingRuns runs(10, "engine", log.log());
  const auto fail = [&](int seconds, size_t parts) {
    runs.add(std::chrono::steady_clock::now() - std::chrono::seconds(seconds), parts, "it hangs");
    return log.messages().size();
  };
  EXPECT_EQ(fail(3, 8), 0U);
  EXPECT_EQ(fail(3, 4), 1U);
  EXPECT_TRUE(
      log.has("engine took 6 s for runs that failed, the last one on 4 parts of the model: "
              "it hangs"));
  EXPECT_EQ(fail(3, 2), 1U);
  EXPECT_FALSE(runs.too_long());
  EXPECT_EQ(fail(6, 1), 2U);
  EXPECT_TRUE(log.has("engine took 15 s for runs that failed, the last one on a part of"));
  EXPECT_TRUE(runs.too_long());
}

}  // namespace
}  // namespace polygraphy
