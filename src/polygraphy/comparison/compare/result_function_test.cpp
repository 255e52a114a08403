// Comparisons that a script makes in the place of the metrics.
#include "polygraphy/comparison/compare/result_function.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/log_text.h"
#include "polygraphy/comparison/compare/accuracy.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"
#include "polygraphy/comparison/compare/postprocess_results.h"
#include "polygraphy/comparison/compare/scripts/script_options.h"

namespace polygraphy {
namespace {

struct Told : ResultComparison {
  OutputResults compare(const IterationResult&, const IterationResult&) override {
    return verdicts;
  }
  bool averages() const override { return has_thresholds; }
  Threshold threshold(const std::string&) override { return {{}, {GivenNumber(2.0)}}; }

  OutputResults verdicts;
  bool has_thresholds = false;
};

class ResultFunctionTest : public testing::Test {
 protected:
  ResultFunctionTest() { options_.compare_script = told_; }

  static IterationResult result(const char* runner) {
    IterationResult one;
    one.runner_name = runner;
    one.outputs = {{"y", Array::of<float>({1}, {1})}, {"z", Array::of<float>({1}, {1})}};
    return one;
  }
  static OutputResult distance(double figure, bool passed) {
    return {.passed = passed,
            .figures = {figure},
            .threshold = {{}, {GivenNumber(2.0)}},
            .metric = find_metric("l2")};
  }

  std::shared_ptr<Told> told_ = std::make_shared<Told>();
  LogText log_;
  CompareOptions options_;
};

TEST_F(ResultFunctionTest, ItsVerdictsCountAndOutputsThatItNamesAreShown) {
  told_->verdicts = {{"y", {.passed = false}}, {"nosuch", {.passed = true}}};
  AccuracyComparison accuracy(options_, log_.log());
  EXPECT_TRUE(accuracy.add({result("A"), result("B")}));
  accuracy.summarize();
  EXPECT_FALSE(accuracy.verdict().passed());
  EXPECT_TRUE(log_.has("[I]     A: y | Stats: "));
  EXPECT_TRUE(log_.has("---- Values ----")) << "of an output that failed";
  EXPECT_FALSE(log_.has("A: z"));
  EXPECT_TRUE(log_.has("[E] Accuracy Summary | A vs. B | Passed: 0/1 iterations"));
}

TEST_F(ResultFunctionTest, NoVerdictAtAllIsSaid) {
  AccuracyComparison accuracy(options_, log_.log());
  accuracy.add({result("A"), result("B")});
  EXPECT_TRUE(log_.has("The comparison function compared no output"));
}

TEST_F(ResultFunctionTest, OutputsThatItLeavesAreNotSaved) {
  const TemporaryFolder folder;
  options_.save_accuracy_results = folder.path() + "/a.json";
  told_->verdicts = {{"y", {.passed = true}}, {"z", {.passed = true, .left = true}}};
  AccuracyComparison accuracy(options_, log_.log());
  accuracy.add({result("A"), result("B")});
  accuracy.save();
  const AccuracyResults saved = AccuracyResults::load(options_.save_accuracy_results);
  const JudgedIteration& outputs = saved.comparisons.at(0).pairs.at(0).iterations.at(0);
  EXPECT_TRUE(outputs.contains("y"));
  EXPECT_FALSE(outputs.contains("z"));
}

TEST_F(ResultFunctionTest, AveragesNeedThresholds) {
  options_.check_average = true;
  EXPECT_THROW(AccuracyComparison(options_, log_.log()), Error);
  told_->has_thresholds = true;
  AccuracyComparison accuracy(options_, log_.log());
  for (const double figure : {1.0, 2.0}) {
    told_->verdicts = {{"y", distance(figure, true)}};
    accuracy.add({result("A"), result("B")});
  }
  accuracy.summarize();
  EXPECT_TRUE(accuracy.verdict().passed());
  EXPECT_TRUE(log_.has("[I]         L2 Norm: 1.5 (tolerance: 2) | PASSED"));
}

TEST_F(ResultFunctionTest, FiguresTravelAsTheyAre) {
  const OutputResult one = distance(0.1, false);
  const OutputResult read = judged_from(to_json("y", one));
  EXPECT_EQ(read.metric, one.metric);
  EXPECT_EQ(read.figures, one.figures);
  EXPECT_EQ(read.threshold.limits.front().value, 2.0);
  EXPECT_FALSE(read.passed);
  JsonValue foreign;
  foreign.set("kind", "Foreign");
  EXPECT_THROW(judged_from(foreign), FormatError);
}

TEST_F(ResultFunctionTest, OptionsOfOurFunctionsAsScriptsGiveThem) {
  JsonValue limits, json;
  limits.set("", 1);
  json.set("l2_threshold", limits);
  json.set("check_shapes", false);
  const MetricOptions options = metric_options_from(json, *find_metric("l2"));
  EXPECT_EQ(options.numbers_of("l2_threshold").find("")->repr(), "1");
  EXPECT_FALSE(options.check_shapes);
}

struct Doubled : ResultEdit {
  std::string name() const override { return "doubled"; }
  void apply(IterationResult& one) override { one.outputs = {{"y", Array::of<float>({1}, {2})}}; }
};

TEST_F(ResultFunctionTest, RunnersThatHaveFailedAreNotPostProcessed) {
  RunResults run{{{"A", {result("A")}}, {"B", {result("B")}}}};
  run.runners[1].second[0].failed = true;
  Doubled edit;
  postprocess_run(run, edit, log_.log());
  EXPECT_EQ(run.runners[0].second[0].outputs.size(), 1u);
  EXPECT_EQ(run.runners[1].second[0].outputs.size(), 2u);
}

}  // namespace
}  // namespace polygraphy
