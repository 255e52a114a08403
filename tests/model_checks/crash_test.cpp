#include <gmock/gmock.h>

#include "check_bench.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST(CheckCrash, AModelThatRunsPasses) {
  CheckBench bench;
  bench.start("crash");
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
}

TEST(CheckCrash, AModelThatCannotRunFails) {
  CheckBench bench;
  bench.start("crash");
  EXPECT_THAT(bench.run("y = Reshape(x, s)", "int64[1] s = {5}"),
              HasSubstr("onnxrt: candidate | onnxrt failed to run #: Non-zero status code returned "
                        "while running Reshape node"));
  EXPECT_TRUE(bench.log().has("The input tensor cannot be reshaped"));
}

TEST(CheckCrash, AModelThatIsRefusedFails) {
  CheckBench bench;
  bench.start("crash", {"openvino"});
  EXPECT_EQ(bench.run("y = Erf(x)"),
            "openvino: openvino cannot load #: operator _ of node _ is not supported");
}

TEST(CheckCrash, ASignalFailsAndTheNextCandidateHasANewProcess) {
  CheckBench bench;
  bench.start("crash", {"openvino"});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(bench.run("y = Softplus(x)"), "openvino: was killed by SIGSEGV (Segmentation fault)");
    EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
  }
}

TEST(CheckCrash, AHangFails) {
  CheckBench bench;
  bench.tools().timeout = 0.5;
  bench.start("crash", {"openvino"});
  EXPECT_EQ(bench.run("y = Selu(x)"), "openvino: took too long");
  EXPECT_TRUE(bench.log().has("took longer than 0.5 s."));
}

TEST(CheckCrash, EverySampleIsRun) {
  CheckBench bench({{1, 1, 1, 1}, {7, 7, 7, 7}});
  bench.start("crash");
  // An index that only the second sample has.
  const std::string gather = "i = Cast<to = 7>(x) y = Gather<axis = 0>(w, i)";
  EXPECT_THAT(bench.run(gather, "float[3] w = {1, 2, 3}"), HasSubstr("while running Gather"));
}

TEST(CheckCrash, CtrlCReachesTheProcess) {
  CheckBench bench;
  const std::atomic<bool> pressed = true;
  bench.tools().runners.cancel = &pressed;
  bench.start("crash", {"openvino"});
  EXPECT_THROW(bench.run("y = Selu(x)"), Interrupted);
}

TEST(CheckCrash, WhatCannotBeFedIsNotJudged) {
  CheckBench bench;
  bench.tools().inputs = [](const Metadata&, int64_t, Logger&) -> std::optional<ValueMap> {
    throw CannotFeed("the shape of 'x' is not known");
  };
  bench.start("crash");
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
  EXPECT_TRUE(bench.log().has("[W] This candidate cannot be run"));
}

TEST(CheckCrash, ARuntimeThatIsNotThereIsAnError) {
  CheckBench bench;
  bench.tools().runners.paths.plugin_dirs = {"/nowhere"};
  bench.start("crash");
  try {
    bench.run("y = Relu(x)");
    FAIL();
  } catch (const RunnerFailure&) {
    FAIL() << "not the candidate's fault";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("onnxrt is not available"));
  }
}

TEST(ModelChecks, WrongRuntimesAreNamed) {
  CheckBench bench;
  try {
    bench.start("crash", {"abacus"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--check-crash: unknown back end 'abacus'");
  }
  EXPECT_THROW(bench.start("crash", {"onnxrt", "openvino"}), Error);
  EXPECT_THROW(bench.start("run", {"onnxrt"}), Error);
  EXPECT_THROW(bench.start("lint", {"onnxrt", "openvino"}), Error);
}

}  // namespace
}  // namespace polygraphy
