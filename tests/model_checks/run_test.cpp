#include <gmock/gmock.h>

#include "checking.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST(CheckRun, EqualOutputsPass) {
  Checking checking;
  checking.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(checking.run("y = Relu(x)"), "passed");
}

TEST(CheckRun, OutputsThatDifferFail) {
  Checking checking;
  checking.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(checking.run("t = Softsign(x) y = Neg(t)"), "outputs differ");
  EXPECT_TRUE(
      checking.log().has("[E] onnxrt and openvino differ in output 'y' (sample 0): greatest "
                         "absolute difference 1, greatest relative difference 2"));
}

TEST(CheckRun, TheFirstOutputThatDiffersIsNamed) {
  Checking checking;
  checking.start("run", {"onnxrt", "openvino"});
  checking.run_model("g (float[4] x) => (float[4] a, float[4] b) { a = Softsign(x) b = Neg(a) }");
  EXPECT_EQ(checking.output(), "a");
}

TEST(CheckRun, WhatIsWithinTheTolerancePasses) {
  Checking checking;
  OrderedMap<PerOutput<GivenNumber>> tolerances;
  tolerances["atol"].set("", 1.5);
  checking.start("run", {"onnxrt", "openvino"}, tolerances);
  EXPECT_EQ(checking.run("y = Softsign(x)"), "passed");
}

TEST(CheckRun, ARuntimeThatFailsIsAFailureOfAnotherKind) {
  Checking checking;
  checking.start("run", {"onnxrt", "openvino"});
  EXPECT_THAT(checking.run("y = Erf(x)"), HasSubstr("openvino: openvino cannot load"));
  EXPECT_THAT(checking.run("y = Softplus(x)"), HasSubstr("openvino: was killed by SIGSEGV"));
  EXPECT_EQ(checking.run("y = Relu(x)"), "passed");
}

TEST(CheckRun, ADifferenceThatCountsWithTheSecondSample) {
  Checking checking({{1000, 2, 3, 4}, {1, 2, 3, 4}});
  OrderedMap<PerOutput<GivenNumber>> tolerances;
  tolerances["rtol"].set("", 0.01);
  checking.start("run", {"onnxrt", "openvino"}, tolerances);
  // The fault adds 1 to the first number.
  EXPECT_EQ(checking.run("s = Softsign(x) y = Add(s, x)"), "outputs differ");
  EXPECT_TRUE(checking.log().has("(sample 1)"));
}

TEST(CheckRun, OutputsThatSpellTheirNamesAlikePassWithAWarning) {
  Checking checking;
  checking.start("run", {"onnxrt", "openvino"});
  EXPECT_EQ(checking.run_model("g (float[4] x) => (seq(float[4]) s, float[4] \"s[0]\") "
                               "{ s = SequenceConstruct(x, x) \"s[0]\" = Relu(x) }"),
            "passed");
  EXPECT_TRUE(checking.log().has("[W] The outputs of this candidate cannot be compared"));
}

}  // namespace
}  // namespace polygraphy
