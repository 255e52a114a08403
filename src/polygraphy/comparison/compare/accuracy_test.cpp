#include "polygraphy/comparison/compare/accuracy.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/testdata/log_text.h"

namespace polygraphy {
namespace {

class AccuracyTest : public testing::Test {
 protected:
  AccuracyTest() { options_.metrics = {find_metric("simple")}; }

  static IterationResult result(const char* runner,
                                std::initializer_list<std::pair<const char*, float>> outputs) {
    IterationResult one;
    one.runner_name = runner;
    for (const auto& [name, value] : outputs) one.outputs.set(name, Array::of<float>({1}, {value}));
    return one;
  }

  // Without the lines below the level of START: figures.
  LogText log_{Severity::kStart};
  CompareOptions options_;
};

TEST_F(AccuracyTest, ComparesNeighboursAndSumsUpAtTheEnd) {
  AccuracyComparison accuracy(options_, log_.log());
  EXPECT_TRUE(
      accuracy.add({result("A", {{"y", 1}}), result("B", {{"y", 1}}), result("C", {{"y", 2}})}));
  EXPECT_FALSE(accuracy.verdict().passed());
  EXPECT_TRUE(
      accuracy.add({result("A", {{"y", 1}}), result("B", {{"y", 1}}), result("C", {{"y", 1}})}));
  accuracy.summarize();
  EXPECT_EQ(
      log_.take(),
      "[I] Accuracy Comparison | A vs. B\n"
      "[I] Accuracy Comparison | B vs. C\n"
      "[I]     simple | Comparing Output: 'y' (dtype=float32, shape=(1,)) with 'y' (dtype=float32, "
      "shape=(1,))\n"
      "[I]         PASSED | Output: 'y' | Difference is within tolerance (rel=1e-05, abs=1e-05)\n"
      "[I]     PASSED | simple | All outputs matched | Outputs: ['y']\n"
      "[I]     simple | Comparing Output: 'y' (dtype=float32, shape=(1,)) with 'y' (dtype=float32, "
      "shape=(1,))\n"
      "[E]         FAILED | Output: 'y' | Difference exceeds tolerance (rel=1e-05, abs=1e-05)\n"
      "[E]     FAILED | simple | Mismatched outputs: ['y']\n"
      "[I]     simple | Comparing Output: 'y' (dtype=float32, shape=(1,)) with 'y' (dtype=float32, "
      "shape=(1,))\n"
      "[I]         PASSED | Output: 'y' | Difference is within tolerance (rel=1e-05, abs=1e-05)\n"
      "[I]     PASSED | simple | All outputs matched | Outputs: ['y']\n"
      "[I]     simple | Comparing Output: 'y' (dtype=float32, shape=(1,)) with 'y' (dtype=float32, "
      "shape=(1,))\n"
      "[I]         PASSED | Output: 'y' | Difference is within tolerance (rel=1e-05, abs=1e-05)\n"
      "[I]     PASSED | simple | All outputs matched | Outputs: ['y']\n"
      "[I] Accuracy Summary | A vs. B | Passed: 2/2 iterations | Pass Rate: 100.00%\n"
      "[E] Accuracy Summary | B vs. C | Passed: 1/2 iterations | Pass Rate: 50.00%\n");
}

TEST_F(AccuracyTest, OutputsWithoutElementsAreNotCompared) {
  const auto empty = [](const char* runner) {
    IterationResult one;
    one.runner_name = runner;
    one.outputs.set("y", Array::zeros(DataType::kFloat32, {0, 4}));
    return one;
  };
  for (const bool average : {false, true}) {
    options_.check_average = average;
    options_.metrics = {find_metric(average ? "l2" : "simple")};
    AccuracyComparison accuracy(options_, log_.log());
    EXPECT_TRUE(accuracy.add({empty("A"), empty("B")}));
    accuracy.summarize();
    EXPECT_EQ(headline(accuracy.verdict()),
              "Nothing was compared: 1 output of B and A has no elements");
    EXPECT_FALSE(accuracy.verdict().passed() || accuracy.verdict().failed());
  }
  options_.check_average = false;
  options_.metrics = {find_metric("simple")};
  AccuracyComparison accuracy(options_, log_.log());
  IterationResult a = empty("A"), b = empty("B");
  for (IterationResult* one : {&a, &b}) one->outputs.set("z", Array::of<float>({1}, {1}));
  accuracy.add({a, b});
  EXPECT_EQ(headline(accuracy.verdict()),
            "1 output of B and A agrees within the tolerances; 'y' has no elements");
  b.outputs.set("y", Array::zeros(DataType::kFloat32, {0, 5}));
  accuracy.add({a, b});
  EXPECT_EQ(accuracy.verdict().agreement, Agreement::kDiffers);
}

TEST_F(AccuracyTest, OneResultIsCountedButComparedWithNothing) {
  LogText log;
  AccuracyComparison accuracy(options_, log.log());
  EXPECT_TRUE(accuracy.add({result("A", {{"y", 1}})}));
  accuracy.summarize();
  EXPECT_EQ(log.take(), "[I] Iteration: 0\n");
  EXPECT_FALSE(accuracy.verdict().passed() || accuracy.verdict().failed());
}

TEST_F(AccuracyTest, FailFastStopsAtTheFirstBadOutputOfTheFirstBadPair) {
  options_.fail_fast = true;
  AccuracyComparison accuracy(options_, log_.log());
  EXPECT_FALSE(accuracy.add({result("A", {{"x", 1}, {"y", 1}, {"z", 1}}),
                             result("B", {{"x", 1}, {"y", 2}, {"z", 2}}),
                             result("C", {{"x", 5}, {"y", 5}, {"z", 5}})}));
  const std::string text = log_.take();
  EXPECT_NE(text.find("FAILED | Output: 'y'"), std::string::npos);
  EXPECT_EQ(text.find("'z'"), std::string::npos);
  EXPECT_EQ(text.find("Mismatched outputs"), std::string::npos);
  EXPECT_FALSE(accuracy.verdict().passed());
}

TEST_F(AccuracyTest, OutputsOfFailedComparisonsAreShownInDetail) {
  LogText log;
  AccuracyComparison accuracy(options_, log.log());
  accuracy.add({result("A", {{"x", 1}, {"y", 1}}), result("B", {{"x", 1}, {"y_1", 2}})});
  const std::string text = log.take();
  const std::string after = text.substr(text.find("Mismatched outputs"));
  EXPECT_NE(after.find("[I]     A: x | Stats: mean=1, "), std::string::npos);
  EXPECT_NE(after.find("[I]     B: y_1 | Stats: mean=2, "), std::string::npos);
  // Values and histograms of both sides of y, none of x.
  const auto line_after = [&](const char* start) {
    return after.substr(after.find('\n', after.find(start)) + 1, 29);
  };
  EXPECT_TRUE(line_after("A: x | Stats").starts_with("[I]     B: x | Stats"));
  EXPECT_TRUE(line_after("B: x | Stats").starts_with("[I]     A: y | Stats"));
  EXPECT_TRUE(line_after("A: y | Stats").starts_with("[I]         ---- Values ----"));
  EXPECT_TRUE(line_after("B: y_1 | Stats").starts_with("[I]         ---- Values ----"));
  EXPECT_NE(after.find(
                "            (1.9, 2  ) |          1 | ########################################\n"),
            std::string::npos);
}

TEST_F(AccuracyTest, WithoutACommonOutputThereIsNothingToTrust) {
  AccuracyComparison accuracy(options_, log_.log());
  try {
    accuracy.add({result("A", {{"x", 1}, {"y", 1}}), result("B", {})});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "All outputs were skipped, no common outputs found! Note:");
    EXPECT_EQ(error.hint(), "A outputs: ['x', 'y']\nB outputs: []");
  }
  AccuracyComparison both_empty(options_, log_.log());
  EXPECT_TRUE(both_empty.add({result("A", {}), result("B", {})}));
}

TEST_F(AccuracyTest, EveryIterationHasTheSameRunners) {
  AccuracyComparison accuracy(options_, log_.log());
  accuracy.add({result("A", {{"y", 1}}), result("B", {{"y", 1}})});
  try {
    accuracy.add({result("A", {{"y", 1}})});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "Streamed iteration 1 contains a different set of runners than the first (['A'] "
                 "vs. ['A', 'B']). Every "
                 "iteration must contain the same runners in the same order.");
  }
}

// Each metric sees every pair; what one of them found is enough for an output to be shown in
// detail.
struct NothingMatches : MetricFunction {
  OutputResult compare(const OutputPair&, Logger&) override { return {}; }
};
constexpr Metric kNothingMatches = {
    .name = "nothing",
    .label = "Nothing",
    .summary = "",
    .order = 9,
    .make = [](const MetricOptions&) -> std::unique_ptr<MetricFunction> {
      return std::make_unique<NothingMatches>();
    }};

TEST_F(AccuracyTest, AllMetricsMustPass) {
  options_.metrics.push_back(&kNothingMatches);
  LogText log;
  AccuracyComparison accuracy(options_, log.log());
  accuracy.add({result("A", {{"y", 1}}), result("B", {{"y", 1}})});
  const std::string text = log.take();
  EXPECT_FALSE(accuracy.verdict().passed());
  EXPECT_NE(text.find("[I]     PASSED | simple | All outputs matched | Outputs: ['y']\n"
                      "[I]     Nothing | Comparing Output: 'y'"),
            std::string::npos);
  EXPECT_NE(
      text.find("[E]     FAILED | Nothing | Mismatched outputs: ['y']\n[I]     A: y | Stats: "),
      std::string::npos);
  EXPECT_NE(text.find("[I]         ---- Values ----\n"), std::string::npos);
}

}  // namespace
}  // namespace polygraphy
