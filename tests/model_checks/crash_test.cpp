#include <gmock/gmock.h>

#include "checking.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST(CheckCrash, AModelThatRunsPasses) {
  Checking checking;
  checking.start("crash");
  EXPECT_EQ(checking.run("y = Relu(x)"), "passed");
}

TEST(CheckCrash, AModelThatCannotRunFails) {
  Checking checking;
  checking.start("crash");
  EXPECT_THAT(checking.run("y = Reshape(x, s)", "int64[1] s = {5}"),
              HasSubstr("onnxrt: candidate | onnxrt failed to run #: Non-zero status code returned "
                        "while running Reshape node"));
  EXPECT_TRUE(checking.log().has("The input tensor cannot be reshaped"));
}

TEST(CheckCrash, AModelThatIsRefusedFails) {
  Checking checking;
  checking.start("crash", {"openvino"});
  EXPECT_EQ(checking.run("y = Erf(x)"),
            "openvino: openvino cannot load #: operator _ of node _ is not supported");
}

TEST(CheckCrash, ASignalFailsAndTheNextCandidateHasANewProcess) {
  Checking checking;
  checking.start("crash", {"openvino"});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(checking.run("y = Softplus(x)"),
              "openvino: was killed by SIGSEGV (Segmentation fault)");
    EXPECT_EQ(checking.run("y = Relu(x)"), "passed");
  }
}

TEST(CheckCrash, AHangFails) {
  Checking checking;
  checking.tools().timeout = 0.5;
  checking.start("crash", {"openvino"});
  EXPECT_EQ(checking.run("y = Selu(x)"), "openvino: took too long");
  EXPECT_TRUE(checking.log().has("took longer than 0.5 s."));
}

TEST(CheckCrash, EverySampleIsRun) {
  Checking checking({{1, 1, 1, 1}, {7, 7, 7, 7}});
  checking.start("crash");
  // An index that only the second sample has.
  const std::string gather = "i = Cast<to = 7>(x) y = Gather<axis = 0>(w, i)";
  EXPECT_THAT(checking.run(gather, "float[3] w = {1, 2, 3}"), HasSubstr("while running Gather"));
}

TEST(CheckCrash, CtrlCReachesTheProcess) {
  Checking checking;
  const std::atomic<bool> pressed = true;
  checking.tools().runners.cancel = &pressed;
  checking.start("crash", {"openvino"});
  EXPECT_THROW(checking.run("y = Selu(x)"), Interrupted);
}

TEST(CheckCrash, WhatCannotBeFedIsNotJudged) {
  Checking checking;
  checking.tools().inputs = [](const Metadata&, int64_t, Logger&) -> std::optional<ValueMap> {
    throw CannotFeed("the shape of 'x' is not known");
  };
  checking.start("crash");
  EXPECT_EQ(checking.run("y = Relu(x)"), "passed");
  EXPECT_TRUE(checking.log().has("[W] This candidate cannot be run"));
}

TEST(CheckCrash, ARuntimeThatIsNotThereIsAnError) {
  Checking checking;
  checking.tools().runners.paths.plugin_dirs = {"/nowhere"};
  checking.start("crash");
  try {
    checking.run("y = Relu(x)");
    FAIL();
  } catch (const RunnerFailure&) {
    FAIL() << "not the candidate's fault";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("onnxrt is not available"));
  }
}

TEST(ModelChecks, WrongRuntimesAreNamed) {
  Checking checking;
  try {
    checking.start("crash", {"abacus"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--check-crash: unknown back end 'abacus'");
  }
  EXPECT_THROW(checking.start("crash", {"onnxrt", "openvino"}), Error);
  EXPECT_THROW(checking.start("run", {"onnxrt"}), Error);
  EXPECT_THROW(checking.start("lint", {"onnxrt", "openvino"}), Error);
}

}  // namespace
}  // namespace polygraphy
