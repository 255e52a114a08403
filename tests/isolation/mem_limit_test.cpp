// --mem-limit: all outputs, a group at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "../cli/in_process.h"
#include "base/os/atomic_file.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class MemLimitTest : public testing::Test {
 protected:
  // Eight tensors of 8 MiB.
  MemLimitTest() : model_(folder_.path() + "/m.onnx") {
    std::string text = R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1, 1024] x) => (float[2048, 1024] t8) <int64[2] s = {2048, 1024}, float c = {0.5}> {
        t1 = Expand(x, s))";
    for (int i = 2; i <= 8; ++i)
      text += "\n t" + std::to_string(i) + " = Add(t" + std::to_string(i - 1) + ", c)";
    graphsurgeon::Model model = graphsurgeon::parse_onnx_text(text + "}");
    graphsurgeon::save_model(model, model_);
  }
  Outcome run(const std::vector<std::string>& options) {
    std::vector<std::string> args = {"run", model_, "--onnxrt", "--onnxrt", "--onnx-outputs", "*"};
    args.insert(args.end(), options.begin(), options.end());
    return run_in_process(args);
  }
  static size_t count(const std::string& text, const std::string& what) {
    size_t found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++found;
    return found;
  }

  const TemporaryFolder folder_;
  const std::string model_;
};

TEST_F(MemLimitTest, EveryOutputIsComparedOnceInGroups) {
  for (const char* isolate : {"--onnxrt-threads=1", "--isolate"}) {
    const Outcome outcome = run({"--mem-limit", "480M", isolate});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(count(outcome.out, "PASSED | Output: "), 8U);
    EXPECT_GT(count(outcome.out, "] Outputs "), 1U);
    EXPECT_THAT(outcome.out, HasSubstr("PASSED | 8 of 8 outputs in "));
  }
}

TEST_F(MemLimitTest, WhatFitsIsRunAtOnce) {
  const Outcome outcome = run({"--mem-limit", "16G"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("] Outputs ")));
}

TEST_F(MemLimitTest, ALimitThatIsTooSmallSaysWhatIsNeeded) {
  const Outcome outcome = run({"--mem-limit", "100M"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--mem-limit 100M is too low for this model"));
  EXPECT_THAT(outcome.err, HasSubstr("its largest output 8 MiB"));
}

TEST_F(MemLimitTest, ResultsAreSavedInABinaryFile) {
  const std::string path = folder_.path() + "/o.safetensors";
  const Outcome outcome = run({"--mem-limit", "480M", "--iterations", "2", "--save-outputs", path});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  Logger quiet;
  OutputReader saved(path, quiet);
  EXPECT_EQ(saved.runner_names().size(), 2U);
  size_t iterations = 0;
  while (const auto results = saved.next()) {
    ++iterations;
    for (const auto& result : *results) {
      ASSERT_TRUE(result);
      EXPECT_EQ(result->outputs.size(), 8U);
      EXPECT_TRUE(result->runtime);
    }
  }
  EXPECT_EQ(iterations, 2U);
}

TEST_F(MemLimitTest, JsonOfGroupsIsRefused) {
  const Outcome outcome =
      run({"--mem-limit", "480M", "--save-outputs", folder_.path() + "/o.json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("Saving outputs does not support outputs in groups"));
}

// The user's script is run as often as its inputs are: once for each group.
TEST_F(MemLimitTest, ALoaderScriptIsCalledOncePerGroup) {
  const std::string modules = PG_SOURCE_DIR "/.deps/parity";
  if (!std::filesystem::exists(modules + "/numpy")) GTEST_SKIP() << "no numpy in " << modules;
  ::setenv("PYTHONPATH", modules.c_str(), 1);
  ::setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  const std::string script = folder_.write("loader.py", R"(
import numpy as np
def load_data():
    with open(__file__ + ".calls", "a") as calls:
        calls.write("call ")
    yield {"x": np.zeros((1, 1024), dtype=np.float32)}
)");
  const auto calls = [&] { return count(folder_.read("loader.py.calls"), "call"); };
  EXPECT_EQ(run({"--mem-limit", "16G", "--data-loader-script", script}).code, 0);
  EXPECT_EQ(calls(), 1U);
  const Outcome outcome = run({"--mem-limit", "480M", "--data-loader-script", script});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(calls(), 1 + count(outcome.out, "] Outputs "));
}

TEST_F(MemLimitTest, RunnersHaveOneNameInAllGroups) {
  const std::string folder = folder_.path() + "/results";
  const Outcome outcome =
      run({"--mem-limit", "480M", "--output-dir", folder, "--save-outputs", folder + "/o.npz"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(count(outcome.out, "] Outputs "), 1U);
  EXPECT_EQ(count(folder_.read("results/report.json"), "\"runner0\""), 1U);
}

TEST_F(MemLimitTest, LibrariesThatNeedProcessesOfTheirOwnAreReckonedWith) {
  const auto needs = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"run",        model_,           "--onnx-outputs",
                                     "*",          "--mem-limit",    "100M",
                                     "--openvino", "--openvino-lib", "/nowhere/a.so",
                                     "--openvino", "--openvino-lib", "/nowhere/b.so"};
    args.insert(args.end(), more.begin(), more.end());
    return run_in_process(args).err;
  };
  EXPECT_THAT(needs({}), HasSubstr("is too low for this model"));
  EXPECT_EQ(needs({}), needs({"--isolate"}));
}

}  // namespace
}  // namespace polygraphy::cli
