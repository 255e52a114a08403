// docs/exit-codes.md.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../cli/in_process.h"

namespace polygraphy::cli {
namespace {

class ExitCodes : public testing::Test {
 protected:
  ExitCodes() { folder_.write("m.onnx", identity_model()); }
  int code(const std::vector<std::string>& command) const {
    return run_in_process(command, {.root = folder_.path()}).code;
  }

  TemporaryFolder folder_;
};

TEST_F(ExitCodes, OfCommandsThatTheOriginalLacks) {
  EXPECT_EQ(code({"debug", "locate", "m.onnx", "--onnxrt", "--onnxrt"}), 0);
  EXPECT_EQ(code({"debug", "locate", "missing.onnx", "--onnxrt", "--onnxrt"}), 3);
  EXPECT_EQ(code({"debug", "locate", "m.onnx", "--onnxrt"}), 3);
  EXPECT_EQ(code({"debug", "locate", "m.onnx", "--onnxrt", "--unknown"}), 2);
  EXPECT_EQ(code({"debug", "locate"}), 2);
  EXPECT_EQ(code({"debug", "locate", "m.onnx", "--onnxrt", "--onnxrt", "-o", "mixed.onnx"}), 3);
  EXPECT_EQ(code({"check", "consistency", "m.onnx", "--onnxrt"}), 0);
  EXPECT_EQ(code({"check", "consistency", "missing.onnx", "--onnxrt"}), 3);
  folder_.write("engine.py", "raise SystemExit('no')\n");
  EXPECT_EQ(code({"check", "consistency", "m.onnx", "--model-runner", "engine.py"}), 3);
  EXPECT_EQ(code({"surgeon", "diff", "m.onnx", "m.onnx"}), 0);
  EXPECT_EQ(code({"surgeon", "diff", "m.onnx", "missing.onnx"}), 3);
}

TEST_F(ExitCodes, OfTheOriginalsCommands) {
  EXPECT_EQ(code({"run", "m.onnx", "--onnxrt", "--onnxrt"}), 0);
  EXPECT_EQ(code({"run", "missing.onnx", "--onnxrt"}), 1);
  EXPECT_EQ(code({"run", "m.onnx", "--unknown"}), 1);
  EXPECT_EQ(code({"check", "lint", "missing.onnx"}), 1);
  EXPECT_EQ(code({"check", "accuracy"}), 2);
}

TEST_F(ExitCodes, ARunWithoutAComparisonIsNoPassInItsReport) {
  EXPECT_EQ(code({"run", "m.onnx", "--onnxrt", "--output-dir", "r"}), 0);
  EXPECT_NE(folder_.read("r/report.json").find("\"agreement\": \"not compared\""),
            std::string::npos);
  EXPECT_NE(folder_.read("r/report.txt").find("Verdict: NOT COMPARED\nNothing was compared"),
            std::string::npos);
}

}  // namespace
}  // namespace polygraphy::cli
