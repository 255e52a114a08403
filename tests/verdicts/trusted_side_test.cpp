// The side of `debug locate` that is the reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class TrustedSide : public testing::Test {
 protected:
  TrustedSide() {
    folder_.write("m.onnx", identity_model());
    EXPECT_EQ(run({"run", "m.onnx", "--onnxrt", "--save-outputs", "golden.json"}).code, 0);
  }
  Outcome run(std::vector<std::string> args) const {
    return run_in_process(args, {.root = folder_.path()});
  }
  Outcome locate(std::vector<std::string> more) const {
    std::vector<std::string> args = {"debug", "locate", "m.onnx", "--json", "j.json"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
  std::string json() const { return folder_.read("j.json"); }

  TemporaryFolder folder_;
};

TEST_F(TrustedSide, SavedResultsAreTheReference) {
  ASSERT_EQ(locate({"--onnxrt", "--load-outputs", "golden.json"}).code, 0);
  EXPECT_THAT(json(), HasSubstr("\"reference\": \"golden.json\""));
}

TEST_F(TrustedSide, ARunnerMayBeTrustedInstead) {
  ASSERT_EQ(locate({"--onnxrt", "--load-outputs", "golden.json", "--trust", "onnxrt"}).code, 0);
  EXPECT_THAT(json(), HasSubstr("\"target\": \"golden.json\""));
  ASSERT_EQ(locate({"--onnxrt", "--load-outputs", "golden.json", "--trust", "golden.json"}).code,
            0);
  EXPECT_THAT(json(), HasSubstr("\"reference\": \"golden.json\""));
}

TEST_F(TrustedSide, OfAFileItsNameWithoutFoldersIsEnough) {
  std::filesystem::create_directory(folder_.path() + "/good");
  std::filesystem::rename(folder_.path() + "/golden.json", folder_.path() + "/good/golden.json");
  ASSERT_EQ(
      locate({"--onnxrt", "--load-outputs", "good/golden.json", "--trust", "golden.json"}).code, 0);
  EXPECT_THAT(json(), HasSubstr("\"reference\": \"good/golden.json\""));
}

// y = Tanh(x w), or of other weights.
std::string layer(const char* weights) {
  return graphsurgeon::encode_model(
      graphsurgeon::parse_onnx_text(std::string(R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[1,2] x) => (float[1,2] y) <float[2,2] w = )") +
                                    weights + "> { m = MatMul(x, w) y = Tanh(m) }"));
}

TEST_F(TrustedSide, AReferenceOfOtherWeightsIsNoFaultOfANode) {
  folder_.write("m.onnx", layer("{1, 2, 3, 4}"));
  folder_.write("other.onnx", layer("{4, 3, 2, -1}"));
  run({"run", "other.onnx", "--onnxrt", "--save-outputs", "y.json"});
  run({"run", "other.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--save-outputs",
       "all.json"});
  for (const std::string file : {"y.json", "all.json"}) {
    const Outcome outcome = locate({"--openvino", "--load-outputs", file});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("No node can be blamed: " + file +
                                       " differs from the model's own float results, first at "));
    EXPECT_THAT(outcome.out, HasSubstr("it may be of another model, or of other weights"));
    EXPECT_THAT(json(), HasSubstr("\"verdict\": \"reference deviates\""));
    EXPECT_THAT(json(), Not(HasSubstr("\"verdict\": \"guilty\"")));
  }
  EXPECT_THAT(locate({"--onnxrt", "--load-outputs", "y.json"}).out,
              HasSubstr("No node can be blamed: y.json differs from the model's own"));
  // The same runtime may be wrong in both.
  EXPECT_THAT(
      locate({"--onnxrt", "--load-outputs", "all.json"}).out,
      HasSubstr("it may be of another model, or of other weights, or 1 node is wrong in both"));
}

TEST_F(TrustedSide, SavedOutputsAreTheReferenceOfARun) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--noise-floor"}, {"--compare", "tokens"}}) {
    std::vector<std::string> args = {"run",         "m.onnx",       "--onnxrt", "--load-outputs",
                                     "golden.json", "--output-dir", "r"};
    args.insert(args.end(), more.begin(), more.end());
    ASSERT_EQ(run(args).code, 0) << (more.empty() ? "" : more.front());
    EXPECT_THAT(folder_.read("r/report.json"),
                AllOf(ContainsRegex("\"target_file\": \"[^\"]*/m.onnx\""),
                      ContainsRegex("\"reference_file\": \"[^\"]*/golden.json\"")));
  }
}

TEST_F(TrustedSide, ANameOfBothIsAnError) {
  const Outcome outcome = locate({"--onnxrt", "--onnxrt", "--trust", "onnxrt"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("--trust onnxrt matches both onnxrt-runner-N0-"));
  EXPECT_THAT(locate({"--onnxrt", "--onnxrt", "--trust", "trt"}).err,
              HasSubstr("--trust trt matches neither onnxrt-runner-N0-"));
}

}  // namespace
}  // namespace polygraphy::cli
