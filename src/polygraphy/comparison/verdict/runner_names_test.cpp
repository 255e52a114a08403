#include "polygraphy/comparison/verdict/runner_names.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

TEST(RunnerNames, LoseTheirTimes) {
  EXPECT_EQ(without_time("onnxrt-runner-N0-11/26/26-09:42:56"), "onnxrt-runner-N0");
  EXPECT_EQ(without_time("mine"), "mine");
  EXPECT_EQ(without_time("-11/26/26-09:42:56"), "-11/26/26-09:42:56");
  EXPECT_EQ(without_time("a-11/26/26-09:42:5x"), "a-11/26/26-09:42:5x");
  EXPECT_EQ(without_times("a-N0-11/26/26-09:42:56 vs. b-N1-11/26/26-09:42:57 | x-1"),
            "a-N0 vs. b-N1 | x-1");
}

}  // namespace
}  // namespace polygraphy
