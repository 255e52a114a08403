#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "check_bench.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Labels> labels(const std::string& lines) {
  return std::make_shared<const Labels>(parse_labels(lines, "labels.txt"));
}

TEST(CheckRun, EqualOutputsPass) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
}

TEST(CheckRun, OutputsThatDifferFail) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(bench.run("t = Softsign(x) y = Neg(t)"), "outputs differ");
  EXPECT_TRUE(bench.log().has(
      "[E] 1 output of openvino and onnxrt differs by more than the tolerances, most 'y': "));
  EXPECT_TRUE(
      bench.log().has("× the limit: greatest absolute difference 1, greatest relative "
                      "difference 2 of 'y' (sample 0)"));
}

TEST(CheckRun, TheFirstOutputThatDiffersIsNamed) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"});
  bench.run_model("g (float[4] x) => (float[4] a, float[4] b) { a = Softsign(x) b = Neg(a) }");
  EXPECT_EQ(bench.output(), "a");
  EXPECT_TRUE(bench.log().has("2 outputs of openvino and onnxrt differ"));
}

TEST(CheckRun, WhatIsWithinTheTolerancePasses) {
  CheckBench bench;
  OutputCheck check;
  check.metric_options.numbers["atol"].set("", 1.5);
  bench.start("run", {"onnxrt", "openvino"}, check);
  EXPECT_EQ(bench.run("y = Softsign(x)"), "passed");
}

TEST(CheckRun, NansOnBothSidesAreNoDifference) {
  CheckBench bench({{1, -2, 3, -4}});
  bench.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
  EXPECT_FALSE(bench.log().has("NaN"));
  EXPECT_EQ(bench.run("y = Sqrt(x)"), "passed");
  EXPECT_TRUE(bench.log().has("[W] Output 'y' is NaN on both sides in 2 of 4 elements."));
  EXPECT_EQ(bench.run("s = Softsign(x) t = Sqrt(s) y = Neg(t)"), "outputs differ");
}

TEST(CheckRun, ARuntimeThatFailsIsAFailureOfAnotherKind) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"});
  EXPECT_THAT(bench.run("y = Erf(x)"), HasSubstr("openvino: openvino cannot load"));
  EXPECT_THAT(bench.run("y = Softplus(x)"), HasSubstr("openvino: was killed by SIGSEGV"));
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
}

TEST(CheckRun, ADifferenceThatCountsWithTheSecondSample) {
  CheckBench bench({{1000, 2, 3, 4}, {1, 2, 3, 4}});
  OutputCheck check;
  check.metric_options.numbers["rtol"].set("", 0.01);
  bench.start("run", {"onnxrt", "openvino"}, check);
  // The fault adds 1 to the first number.
  EXPECT_EQ(bench.run("s = Softsign(x) y = Add(s, x)"), "outputs differ");
  EXPECT_TRUE(bench.log().has("(sample 1)"));
}

TEST(CheckRun, OutputsThatSpellTheirNamesAlikePassWithAWarning) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(bench.run_model("g (float[4] x) => (seq(float[4]) s, float[4] \"s[0]\") "
                            "{ s = SequenceConstruct(x, x) \"s[0]\" = Relu(x) }"),
            "passed");
  EXPECT_TRUE(bench.log().has("[W] The outputs of this candidate cannot be compared"));
}

// The fault adds 1 to the first number, the smallest of the row.
TEST(CheckRun, TokensThatStayAreNoDifference) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"}, {.metrics = {find_metric("tokens")}});
  EXPECT_EQ(bench.run("s = Softsign(x) y = Add(s, x)"), "passed");
  EXPECT_EQ(bench.run("s = Softsign(x) y = Neg(s)"), "passed");
  EXPECT_EQ(bench.run("y = Softsign(x)"), "outputs differ");
  EXPECT_TRUE(bench.log().has("1 of 1 tokens flips"));
}

TEST(CheckRun, OutputsWithoutLogitsPassWithAWarning) {
  CheckBench bench;
  OutputCheck check{.metrics = {find_metric("tokens")}};
  check.metric_options.numbers["tokens_axis"].set("logits", -1);
  bench.start("run", {"onnxrt", "openvino"}, check);
  EXPECT_EQ(bench.run("y = Softsign(x)"), "passed");
  EXPECT_TRUE(
      bench.log().has("[W] No output of this candidate is judged by tokens, and it counts"));
}

// Of two samples, the fault makes one wrong.
TEST(CheckRun, ATaskMetricJudgesAllSamples) {
  const auto check = [&](double drop) {
    return OutputCheck{
        .task_metric = TaskMetricJob{.labels = labels("3\n3\n"), .drop = drop, .confidence = 1}};
  };
  const std::string nodes = "s = Softsign(x) r = Unsqueeze(s, axes) y = Identity(r)";
  const auto run = [&](double drop) {
    CheckBench bench({{1, 2, 3, 4}, {-9, -9, -9, 4}});
    bench.start("run", {"onnxrt", "openvino"}, check(drop));
    return bench.run_model("g (float[4] x) => (float[1, 4] y) <int64[1] axes = {0}> { " + nodes +
                           " }");
  };
  EXPECT_EQ(run(0.6), "passed");
  EXPECT_EQ(run(0.4), "the task suffers");
}

TEST(CheckRun, ACandidateWithoutTheJudgedOutputPassesWithAWarning) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"},
              {.task_metric = TaskMetricJob{.output = "logits", .labels = labels("3\n")}});
  EXPECT_EQ(bench.run("y = Softsign(x)"), "passed");
  EXPECT_TRUE(bench.log().has("[W] The outputs of this candidate cannot be compared"));
}

TEST(CheckRun, LabelsMustFitTheSamples) {
  const std::string model =
      "g (float[4] x) => (float[1, 4] y) <int64[1] axes = {0}> { y = Unsqueeze(x, axes) }";
  for (const char* lines : {"3\n", "3\n3\n3\n"}) {
    CheckBench bench({{1, 2, 3, 4}, {1, 2, 3, 4}});
    bench.start("run", {"onnxrt", "openvino"},
                {.task_metric = TaskMetricJob{.labels = labels(lines), .confidence = 1}});
    EXPECT_THROW(bench.run_model(model), Error) << lines;
  }
  CheckBench bench;
  EXPECT_THROW(bench.start("run", {"onnxrt", "openvino"}, {.task_metric = TaskMetricJob{}}), Error);
}

}  // namespace
}  // namespace polygraphy
