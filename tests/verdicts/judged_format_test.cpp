// The number format by which `run --noise-floor` and `debug locate` judge two sides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"
#include "../locate/hard_networks.h"
#include "graphsurgeon/io/save.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

class JudgedFormat : public testing::Test {
 protected:
  JudgedFormat() {
    folder_.write("m.onnx", graphsurgeon::encode_model(network_named("mlp_tanh").make()));
    EXPECT_EQ(run({"run", "m.onnx", "--onnxrt", "--save-outputs", "golden.json", "--save-inputs",
                   "i.json"})
                  .code,
              0);
  }
  Outcome run(std::vector<std::string> args) const {
    return run_in_process(args, {.root = folder_.path(), .columns = 200});
  }
  // Both commands agree by the noise of bfloat16.
  void expect_bfloat16(const std::vector<std::string>& sides) const {
    for (std::vector<std::string> args :
         {std::vector<std::string>{"run", "m.onnx", "--noise-floor"},
          {"debug", "locate", "m.onnx"}}) {
      args.insert(args.end(), sides.begin(), sides.end());
      const Outcome outcome = run(args);
      if ((outcome.out + outcome.err).find("does not support it") != std::string::npos ||
          (outcome.out + outcome.err).find("although bfloat16 was requested") != std::string::npos)
        GTEST_SKIP() << "OpenVINO has no bfloat16 on this processor";
      EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
      EXPECT_THAT(outcome.out, HasSubstr("within 3× the bfloat16 noise"));
    }
  }

  TemporaryFolder folder_;
};

TEST_F(JudgedFormat, IsTheCoarserInAnyOrderOfRunners) {
  expect_bfloat16({"--onnxrt", "--openvino", "--openvino-precision", "bf16"});
  expect_bfloat16({"--openvino", "--onnxrt", "--openvino-precision", "bf16"});
}

TEST_F(JudgedFormat, OfSavedResultsIsThatOfTheRunner) {
  const std::vector<std::string> sides = {
      "--openvino", "--openvino-precision", "bf16",       "--load-inputs",
      "i.json",     "--load-outputs",       "golden.json"};
  expect_bfloat16(sides);
}

// The engine computes in float32 what is not in float16 by its type.
TEST_F(JudgedFormat, ARemedyIsNotForAModelInFloat16) {
  const Outcome outcome =
      run({"debug", "locate", "m.onnx", "--onnxrt", "--onnxrt", "--fp-to-fp16", "--remedy"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("float16 noise"));
  EXPECT_THAT(outcome.out, HasSubstr("No remedy: the model itself has results in float16, and a "
                                     "remedy is for a model in float32"));
  EXPECT_THAT(run({"debug", "locate", "m.onnx", "--onnxrt", "--onnxrt", "--remedy"}).out,
              HasSubstr("No remedy: the target already computes in float32"));
}

}  // namespace
}  // namespace polygraphy::cli
