#include "polygraphy/comparison/compare/accuracy/check_accuracy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/error.h"
#include "base/testdata/log_text.h"
#include "polygraphy/comparison/compare/accuracy.h"

namespace polygraphy {
namespace {

class CheckAccuracyTest : public testing::Test {
 protected:
  // Compares the numbers of runners A and B, iteration by iteration, and saves what was found.
  void save(std::vector<std::pair<float, float>> iterations,
            std::initializer_list<const char*> metrics) {
    for (const char* name : metrics) run_.metrics.push_back(find_metric(name));
    run_.save_accuracy_results = path_;
    LogText log;
    AccuracyComparison comparison(run_, log.log());
    for (const auto& [a, b] : iterations) comparison.add({result("A", a), result("B", b)});
    comparison.summarize();
    comparison.save();
  }
  static IterationResult result(const char* runner, float value) {
    IterationResult one;
    one.runner_name = runner;
    one.outputs.set("y", Array::of<float>({1}, {value}));
    return one;
  }
  bool check() {
    return check_accuracy(load_accuracy_results(path_, log_.log()), options_, log_.log()).passed();
  }
  std::string failure() {
    try {
      check();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  void select(const char* metric, bool anew) {
    options_.selected.push_back({find_metric(metric), anew});
  }
  std::string text() const {
    std::ifstream file(path_);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::string path_ = testing::TempDir() + "check_accuracy_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  CompareOptions run_;
  CheckAccuracyOptions options_;
  LogText log_;
};

TEST_F(CheckAccuracyTest, SavedVerdictsCountWhenNothingIsAskedFor) {
  save({{1, 1}, {1, 2}}, {"l2", "indices"});
  EXPECT_FALSE(check());
  EXPECT_EQ(log_.take(),
            "[I] Loading accuracy results from " + path_ +
                "\n[E] Accuracy Summary | A vs. B | Passed: 1/2 iterations | Pass Rate: "
                "50.00%\n[E] Accuracy Summary | A vs. B | Passed: 1/2 iterations | Pass Rate: "
                "50.00%\n[E] FAILED | Accuracy results did not pass their saved thresholds.\n");
}

TEST_F(CheckAccuracyTest, ElementwiseVerdictsAreSavedAsSuch) {
  save({{1, 2}}, {"simple"});
  EXPECT_FALSE(check());
  select("simple", true);
  EXPECT_NE(failure().find("Cannot re-threshold an 'elemwise' comparison"), std::string::npos);
}

TEST_F(CheckAccuracyTest, OtherThresholdsGiveOtherVerdicts) {
  save({{1, 1}, {1, 2}}, {"l2", "psnr"});
  select("l2", true);
  options_.metric_options.numbers.set("l2_threshold", {{"", {1, "1"}}});
  EXPECT_TRUE(check());
  EXPECT_TRUE(log_.has("Ignoring saved comparison with metric fields ['psnr']: no matching "));
  options_.metric_options.numbers.set("l2_threshold", {{"", 0.9}});
  EXPECT_FALSE(check());
}

TEST_F(CheckAccuracyTest, MeansOverIterations) {
  save({{1, 1}, {1, 2}}, {"l2"});
  select("l2", true);
  options_.check_average = true;
  options_.metric_options.numbers.set("l2_threshold", {{"", 0.5}});
  EXPECT_TRUE(check());
  EXPECT_TRUE(
      log_.has("[I] Accuracy Summary | A vs. B | Passed: 1/1 outputs\n"
               "[I]     y | L2 Norm: 0.5 (tolerance: 0.5) | PASSED\n"));
}

TEST_F(CheckAccuracyTest, AVerdictOnAveragesStaysOne) {
  run_.check_average = true;
  run_.metric_options.numbers.set("l2_threshold", {{"", 0.6}});
  save({{1, 1}, {1, 2}}, {"l2"});
  EXPECT_TRUE(check()) << "one of the iterations alone would fail";
}

TEST_F(CheckAccuracyTest, SavedVerdictsWithoutAnAverageCountByIteration) {
  save({{1, 1}, {1, 2}}, {"simple", "indices"});
  options_.check_average = true;
  EXPECT_FALSE(check());
  EXPECT_TRUE(
      log_.has("[W] The saved verdicts were made element by element and have no average. They "
               "count iteration by iteration.\n"
               "[E] Accuracy Summary | A vs. B | Passed: 1/2 iterations | Pass Rate: 50.00%\n"));
}

TEST_F(CheckAccuracyTest, StatisticsThatWereNotComputed) {
  run_.metric_options.texts["check_error_stat"] = {{"", "max"}};
  save({{1, 2}}, {"simple"});
  select("simple", true);
  options_.metric_options.texts["check_error_stat"] = {{"", "mean"}};
  options_.metric_options.numbers["atol"] = {{"", 1}};
  EXPECT_TRUE(check());
  options_.metric_options.texts["check_error_stat"] = {{"", "quantile"}};
  EXPECT_NE(failure().find("do not contain a 'quantile' statistic"), std::string::npos);
}

TEST_F(CheckAccuracyTest, FunctionsThatWereNotRun) {
  save({{1, 1}}, {"l2"});
  select("snr", true);
  EXPECT_EQ(failure(),
            "No saved comparison results match the requested threshold (metric fields: ['snr']).\n"
            "Note: the saved results contain these metric fields: [['l2_norm']]. If these results "
            "came from a custom comparison function, its threshold type is reachable via "
            "--compare-func-script.");
}

TEST_F(CheckAccuracyTest, NothingToJudgeIsNotAPass) {
  save({}, {"l2"});
  EXPECT_NE(failure().find("No comparison results to check"), std::string::npos);
}

// Figures of these look like those of equal numbers, so the file names them.
TEST_F(CheckAccuracyTest, OutputsWithoutElementsAreNotAPass) {
  const auto outputs = [](const char* runner, int64_t rows) {
    IterationResult one;
    one.runner_name = runner;
    one.outputs.set("y", Array::zeros(DataType::kFloat32, {rows, 4}));
    one.outputs.set("z", Array::zeros(DataType::kFloat32, {0}));
    return one;
  };
  for (const char* metric : {"l2", "simple", "indices"}) {
    for (const int64_t rows : {0, 1}) {
      CompareOptions run;
      run.metrics = {find_metric(metric)};
      run.save_accuracy_results = path_;
      AccuracyComparison comparison(run, log_.log());
      for (const int64_t more : {int64_t{0}, rows})
        comparison.add({outputs("A", more), outputs("B", more)});
      comparison.summarize();
      comparison.save();
      const std::string before = text();
      log_.take();
      EXPECT_EQ(check(), rows > 0) << metric;
      EXPECT_EQ(log_.has("FAILED | Nothing was compared: 2 outputs of B and A have no elements"),
                rows == 0);
      const AccuracyResults results = load_accuracy_results(path_, log_.log());
      EXPECT_EQ(results.verdict().empty, rows == 0 ? 2 : 1);
      EXPECT_EQ(static_cast<bool>(results), rows > 0);
      save_accuracy_results(results, path_, log_.log());
      EXPECT_EQ(text(), before);
    }
  }
}

// As in files of the original: the figures of `simple` say it, also for another function.
TEST_F(CheckAccuracyTest, OutputsWithoutElementsAreNoticedWhereTheFileDoesNotNameThem) {
  for (const bool beside : {false, true}) {
    CompareOptions run;
    run.metrics = {find_metric("l2"), find_metric("simple")};
    run.save_accuracy_results = path_;
    AccuracyComparison comparison(run, log_.log());
    IterationResult a, b;
    a.runner_name = "A";
    b.runner_name = "B";
    for (IterationResult* one : {&a, &b}) {
      one->outputs.set("y", Array::zeros(DataType::kFloat32, {0, 4}));
      if (beside) one->outputs.set("z", Array::of<float>({1}, {1}));
    }
    comparison.add({a, b});
    comparison.summarize();
    comparison.save();
    std::string file = text();
    for (size_t at = file.find("\"empty\""); at != std::string::npos; at = file.find("\"empty\""))
      file.replace(at, 7, "\"other\"");
    write_file(path_, file);
    log_.take();
    EXPECT_EQ(check(), beside);
    EXPECT_TRUE(
        log_.has(beside ? "[W] 1 output of B and A agrees by l2 and simple; 'y' has no elements"
                        : "FAILED | Nothing was compared: 1 output of B and A has no elements"))
        << log_.take();
  }
}

TEST_F(CheckAccuracyTest, SavesWhatItJudgedWithTheThresholdsThatItUsed) {
  save({{1, 1}, {1, 2}}, {"l2", "psnr"});
  select("l2", true);
  options_.metric_options.numbers.set("l2_threshold", {{"", {7, "7"}}});
  options_.save_results = path_;
  EXPECT_TRUE(check());
  EXPECT_NE(text().find("\"threshold\": 7,\n"), std::string::npos);
  EXPECT_EQ(text().find("psnr"), std::string::npos);
}

TEST_F(CheckAccuracyTest, FilesSurviveARoundTripByteForByte) {
  run_.metric_options.texts["check_error_stat"] = {{"", "quantile"}};
  run_.metric_options.numbers["atol"] = {{"", {3, "3"}}};
  save({{1, 1}, {INFINITY, 2}, {NAN, 2}}, {"simple", "psnr", "indices"});
  const std::string before = text();
  EXPECT_NE(before.find("\"psnr\": Infinity"), std::string::npos);
  EXPECT_NE(before.find("\"atol\": 3,"), std::string::npos);
  EXPECT_NE(before.find("\"y\": false"), std::string::npos);
  save_accuracy_results(load_accuracy_results(path_, log_.log()), path_, log_.log());
  EXPECT_EQ(text(), before);
}

TEST_F(CheckAccuracyTest, UnknownResultsAreNamed) {
  std::ofstream(path_)
      << R"({"lst": [{"lst": [[["A", "B"], [{"y": {"mine": 1, "polygraphy_class": "MyResult"}}]]],
             "aggregation": "per_sample", "polygraphy_class": "AccuracyResult"}],
             "polygraphy_class": "AccuracyResults"})";
  EXPECT_NE(failure().find("Could not decode serialized type: MyResult"), std::string::npos);
  std::ofstream(path_) << R"({"lst": [], "polygraphy_class": "RunResults"})";
  EXPECT_NE(failure().find("cannot be decoded into a AccuracyResults"), std::string::npos);
}

TEST(AccuracyResultsTest, AnOutputCountsOnceForSeveralFunctions) {
  JudgedPair pair{"A", "B", {{}}};
  pair.iterations[0].set("y", {.passed = true});
  AccuracyResults results{{AccuracyResult{{pair}}}};
  pair.iterations[0].set("y", {.passed = false});
  results.comparisons.push_back(AccuracyResult{{pair}});
  const Verdict verdict = results.verdict();
  EXPECT_EQ(verdict.agreement, Agreement::kDiffers);
  EXPECT_EQ(verdict.compared, 1);
  EXPECT_EQ(verdict.off, 1);
  EXPECT_EQ(verdict.samples, 1);
}

}  // namespace
}  // namespace polygraphy
