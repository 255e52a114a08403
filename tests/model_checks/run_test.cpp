#include <gmock/gmock.h>

#include "check_bench.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST(CheckRun, EqualOutputsPass) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
}

TEST(CheckRun, OutputsThatDifferFail) {
  CheckBench bench;
  bench.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(bench.run("t = Softsign(x) y = Neg(t)"), "outputs differ");
  EXPECT_TRUE(bench.log().has("[E] 1 output of openvino and onnxrt differs by simple, most 'y': "));
  EXPECT_TRUE(
      bench.log().has(" times what is allowed: greatest absolute difference 1, greatest relative "
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
  OrderedMap<PerOutput<GivenNumber>> tolerances;
  tolerances["atol"].set("", 1.5);
  bench.start("run", {"onnxrt", "openvino"}, tolerances);
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
  OrderedMap<PerOutput<GivenNumber>> tolerances;
  tolerances["rtol"].set("", 0.01);
  bench.start("run", {"onnxrt", "openvino"}, tolerances);
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

}  // namespace
}  // namespace polygraphy
