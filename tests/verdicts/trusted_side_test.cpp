// The side of `debug locate` that is the reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

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

TEST_F(TrustedSide, ANameOfBothIsAnError) {
  const Outcome outcome = locate({"--onnxrt", "--onnxrt", "--trust", "onnxrt"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("--trust onnxrt matches both onnxrt-runner-N0-"));
  EXPECT_THAT(locate({"--onnxrt", "--onnxrt", "--trust", "trt"}).err,
              HasSubstr("--trust trt matches neither onnxrt-runner-N0-"));
}

}  // namespace
}  // namespace polygraphy::cli
