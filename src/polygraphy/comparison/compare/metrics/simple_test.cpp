#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/testdata/log_text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

class SimpleTest : public testing::Test {
 protected:
  OutputResult compare(const Array& a, const Array& b, PairStatistics* statistics = nullptr) {
    const auto function = make_function(*find_metric("simple"), options_);
    return function->compare({"y", "y", "R0", "R1", a, b, statistics}, log_.log());
  }
  std::string failure() {
    try {
      make_function(*find_metric("simple"), options_);
    } catch (const Error& error) {
      return std::string(error.what()) + "\n" + error.hint();
    }
    return "no error";
  }

  MetricOptions options_;
  LogText log_;
};

TEST_F(SimpleTest, IsInTheTable) {
  ASSERT_NE(find_metric("simple"), nullptr);
  EXPECT_EQ(find_metric("simple")->label, "simple");
  EXPECT_EQ(find_metric("no such metric"), nullptr);
}

TEST_F(SimpleTest, ReturnsTheFiguresThatItPrints) {
  const OutputResult result =
      compare(Array::of<double>({4}, {1, 2, 3, 4}), Array::of<double>({4}, {1, 2.5, 3, 5}));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(find_metric("simple")->figures.substr(0, 23), "max_absdiff max_reldiff");
  EXPECT_EQ(result.figures, (Figures{1, 0.2, 0.375, 0.1f, 0.25, 0.1, std::nullopt, std::nullopt}))
      << "means are float32, as in NumPy";
  EXPECT_EQ(result.threshold.error_stat, "elemwise");
  EXPECT_EQ(result.threshold.limits.size(), 2u);
}

TEST_F(SimpleTest, EitherToleranceIsEnoughForAnElement) {
  const Array a = Array::of<float>({2}, {1, 1000}), b = Array::of<float>({2}, {1.01f, 1001});
  options_.numbers["atol"] = {{"", 0.1}};
  options_.numbers["rtol"] = {{"", 0.01}};
  EXPECT_TRUE(compare(a, b).passed);
  options_.numbers["rtol"] = {{"", 1e-4}};
  EXPECT_FALSE(compare(a, b).passed);
  options_.numbers["rtol"].set("y", 1);
  EXPECT_TRUE(compare(a, b).passed);
}

TEST_F(SimpleTest, AStatisticIsHeldAgainstTheTolerances) {
  const Array a = Array::of<float>({4}, {0, 0, 0, 8}), b = Array::of<float>({4}, {1, 1, 1, 1});
  options_.numbers["rtol"] = {{"", 0}};
  const auto passes = [&](const char* stat, double atol) {
    options_.texts["check_error_stat"] = {{"", stat}};
    options_.numbers["atol"] = {{"", atol}};
    return compare(a, b).passed;
  };
  EXPECT_TRUE(passes("max", 7));
  EXPECT_FALSE(passes("max", 6.9));
  EXPECT_TRUE(passes("mean", 2.5));
  EXPECT_FALSE(passes("mean", 2.4));
  EXPECT_TRUE(passes("median", 1));
  EXPECT_FALSE(passes("median", 0.9));
  options_.numbers["error_quantile"] = {{"y", 0.5}};
  EXPECT_TRUE(passes("quantile", 1));
  options_.numbers["error_quantile"] = {{"y", 1}};
  EXPECT_FALSE(passes("quantile", 6.9));
  EXPECT_EQ(compare(a, b).figures[6], 7);
}

TEST_F(SimpleTest, NanFailsWhateverTheTolerance) {
  options_.numbers["atol"] = {{"", std::numeric_limits<double>::infinity()}};
  options_.numbers["rtol"] = {{"", std::numeric_limits<double>::infinity()}};
  const Array a = Array::of<float>({2}, {NAN, 1});
  for (const char* stat : {"elemwise", "max", "mean", "median", "quantile"}) {
    options_.texts["check_error_stat"] = {{"", stat}};
    EXPECT_FALSE(compare(a, a).passed) << stat;
  }
}

TEST_F(SimpleTest, EmptyOutputsPassExceptByMeanAndQuantile) {
  const Array empty = Array::zeros(DataType::kFloat32, {0, 3});
  for (const auto& [stat, passes] :
       std::initializer_list<std::pair<const char*, bool>>{{"elemwise", true},
                                                           {"max", true},
                                                           {"median", true},
                                                           {"mean", false},
                                                           {"quantile", false}}) {
    options_.texts["check_error_stat"] = {{"", stat}};
    EXPECT_EQ(compare(empty, empty).passed, passes) << stat;
  }
}

TEST_F(SimpleTest, TolerancesArePrintedAsTheUserWroteThem) {
  const Array a = Array::of<float>({1}, {1});
  options_.numbers["atol"] = {{"", 1}, {"y", 0.001}};
  options_.numbers["rtol"] = {{"", {2, "2"}}};
  compare(a, a);
  EXPECT_TRUE(log_.has("Tolerance: [abs=0.001, rel=2] | Checking elemwise error"));
  EXPECT_TRUE(log_.has("PASSED | Output: 'y' | Difference is within tolerance (rel=2, abs=0.001)"));
  options_.numbers["rtol"] = {{"", 2}};
  log_.take();
  compare(a, a);
  EXPECT_TRUE(log_.has("(rel=2.0, abs=0.001)"));
}

TEST_F(SimpleTest, DifferentShapesFailWithoutFigures) {
  const OutputResult result =
      compare(Array::of<float>({2}, {1, 2}), Array::of<float>({2, 1}, {1, 2}));
  EXPECT_FALSE(result.passed);
  EXPECT_TRUE(result.figures.empty());
  options_.check_shapes = false;
  EXPECT_TRUE(compare(Array::of<float>({2}, {1, 2}), Array::of<float>({2, 1}, {1, 2})).passed);
}

TEST_F(SimpleTest, StringsAreComparedByEquality) {
  EXPECT_TRUE(
      compare(Array::from_strings({2}, {"a", "b"}), Array::from_strings({2}, {"a", "b"})).passed);
  log_.take();
  EXPECT_FALSE(compare(Array::from_strings({1, 3}, {"a", "b", "c"}),
                       Array::from_strings({1, 3}, {"a", "x", "y"}))
                   .passed);
  EXPECT_EQ(log_.take(),
            "[I] Tolerance: [abs=1e-05, rel=1e-05] | Checking elemwise error\n"
            "[I] Error Metrics: y\n"
            "[I]     Mismatched elements: 2 of 3 strings | First at (0, 1): 'b' and 'x'\n"
            "[E] FAILED | Output: 'y' | 2 of 3 strings differ\n");
}

TEST_F(SimpleTest, StringsAndNumbersCannotBeCompared) {
  EXPECT_FALSE(compare(Array::from_strings({1}, {"1"}), Array::of<float>({1}, {1})).passed);
  EXPECT_TRUE(log_.has("[E] FAILED | Output: 'y' | Will not compare string with float32."));
}

TEST_F(SimpleTest, ZerosInTheReferenceAreMentionedOnce) {
  const Array zero = Array::of<float>({1}, {0});
  compare(zero, zero);
  EXPECT_TRUE(log_.has(
      "[W] R1                                  | Output: y: Some values are 0. Will add a small "
      "epsilon quantity to these when computing relative difference."));
  log_.take();
  compare(zero, zero);
  EXPECT_FALSE(log_.has("Some values are 0"));
}

TEST_F(SimpleTest, LeavesStatisticsOfTheOutputsForOthers) {
  const Array a = Array::of<float>({2}, {1, 3}), b = Array::of<float>({2}, {1, 5});
  PairStatistics statistics;
  compare(a, b, &statistics);
  ASSERT_TRUE(statistics.a && statistics.b);
  EXPECT_EQ(statistics.a->mean, 2);
  EXPECT_EQ(statistics.b->max, 5);
}

TEST_F(SimpleTest, ButNotOfRearrangedOnes) {
  options_.check_shapes = false;
  PairStatistics statistics;
  compare(Array::of<float>({2, 1}, {1, 3}), Array::of<float>({2}, {1, 5}), &statistics);
  EXPECT_FALSE(statistics.a || statistics.b);
}

TEST_F(SimpleTest, RefusesUnknownStatisticsAndQuantiles) {
  options_.texts["check_error_stat"] = {{"", "elemwise"}, {"y", "avg"}};
  EXPECT_EQ(failure(),
            "Invalid choice for check_error_stat: avg.\n"
            "Note: Valid choices are: ['max', 'mean', 'median', 'elemwise', 'quantile']");
  options_.texts.clear();
  for (const double q : {-0.1, 1.5, static_cast<double>(NAN)}) {
    options_.numbers["error_quantile"] = {{"y", q}};
    EXPECT_NE(failure().find("Invalid error_quantile for output 'y'"), std::string::npos) << q;
  }
}

TEST_F(SimpleTest, WarnsOfNamesThatAreNoOutputs) {
  options_.numbers["atol"] = {{"nope", 1}};
  const ArrayMap outputs{{"y", Array::of<float>({1}, {1})}};
  make_function(*find_metric("simple"), options_)->begin(outputs, outputs, log_.log());
  EXPECT_EQ(log_.take(),
            "[W] Extra items in the atol dictionary: {'nope'}.\n"
            "    Note: items requested were: {'', 'y'}, but all items are: {'nope'}\n");
}

}  // namespace
}  // namespace polygraphy
