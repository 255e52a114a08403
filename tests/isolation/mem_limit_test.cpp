// --mem-limit: all outputs, a group at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

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

TEST_F(MemLimitTest, OneRunnerPassesInGroups) {
  const Outcome outcome =
      run_in_process({"run", model_, "--onnxrt", "--onnx-outputs", "*", "--mem-limit", "300M"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(count(outcome.out, "] Outputs "), 1U);
  EXPECT_THAT(outcome.out, HasSubstr("PASSED | 8 of 8 outputs in "));
}

TEST_F(MemLimitTest, ConstantsAndInputsMayBeOutputs) {
  std::string text = R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[2048, 1024] x)
      => (float c, float d, float[2048, 1024] t1, float[2048, 1024] x, float[2048, 1024] t2,
          float[2048, 1024] t3) <float c = {0.5}> {
        d = Constant <value = float {1.5}> ()
        t1 = Add(x, c) t2 = Add(t1, d) t3 = Add(t2, c) })";
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(text.c_str()), folder_.path() + "/o.onnx");
  for (const char* limit : {"339M", "360M"}) {
    const Outcome outcome = run_in_process(
        {"run", folder_.path() + "/o.onnx", "--onnxrt", "--openvino", "--mem-limit", limit});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(count(outcome.out, "PASSED | Output: "), 6U);
    EXPECT_GT(count(outcome.out, "] Outputs "), 1U) << limit;
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

// A chain of eight weights of 4 MiB.
class ManyWeights : public testing::Test {
 protected:
  ManyWeights() { save(0, 0); }
  // With a sequence that nodes behind these tensors make and read, which the tensors between depend
  // on or not; 0: without.
  void save(int maker, int reader, bool between = false) const {
    std::string text = R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[2, 1024] x) => (float[2, 1024] t8, float[2, 1024] x2)" +
                       std::string(maker > 0 ? ", float[2, 1024] e" : "") +
                       ") { x2 = Neg(x) t0 = Relu(x) zero = Constant <value = int64 {0}> ()";
    for (int i = 1; i <= 8; ++i) {
      const std::string own = std::to_string(i);
      const std::string before = between && i == maker + 1 ? "u" : "t" + std::to_string(i - 1);
      text += "\n m" + own + " = MatMul(" + before + ", w" + own + ") t" + own + " = Tanh(m" + own +
              ")";
      if (i == maker) text += " s = SequenceConstruct(x2, t" + own + ")";
      if (i == maker && between) text += " u = SequenceAt(s, zero)";
      if (i == reader) text += " l = SequenceInsert(s, t" + own + ") e = SequenceAt(l, zero)";
    }
    graphsurgeon::Model model = graphsurgeon::parse_onnx_text(text + "}");
    float seed = 0;
    for (const auto& node : model.graph->nodes()) {
      if (node->op() != "MatMul") continue;
      Array weight = Array::uninitialized(DataType::kFloat32, {1024, 1024});
      auto* values = reinterpret_cast<float*>(weight.mutable_data());
      seed += 1;
      for (int64_t i = 0; i < weight.size(); ++i)
        values[i] = std::sin(static_cast<float>(i) * 0.37f * seed) / 16;
      node->inputs()[1]->to_constant(std::move(weight));
    }
    graphsurgeon::save_model(model, folder_.path() + "/m.onnx");
  }
  Outcome run(std::vector<std::string> options) {
    options.insert(options.begin(), {"run", folder_.path() + "/m.onnx", "--onnxrt", "--onnxrt",
                                     "--onnxrt-threads=1", "--iterations=2"});
    return run_in_process(options);
  }
  // Lines about outputs.
  static std::vector<std::string> verdicts(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      if (line.find("| Output: ") != std::string::npos) lines.push_back(line);
    }
    return lines;
  }
  std::vector<IterationResult> saved(const std::string& path) {
    Logger quiet;
    const RunResults results = load_results(path, quiet);
    std::vector<IterationResult> all;
    for (const auto& [name, iterations] : results.runners)
      all.insert(all.end(), iterations.begin(), iterations.end());
    return all;
  }

  const TemporaryFolder folder_;
};

TEST_F(ManyWeights, RunInPartsAsTheWholeModelRuns) {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {}, {"--onnx-outputs", "mark", "all"}, {"--isolate"}}) {
    const auto with = [&](const std::string& file, std::vector<std::string> more) {
      more.insert(more.end(), options.begin(), options.end());
      more.insert(more.end(), {"--save-outputs", folder_.path() + file});
      return run(std::move(more));
    };
    const Outcome whole = with("/whole.json", {});
    const Outcome parts = with("/parts.json", {"--mem-limit", "300M"});
    EXPECT_EQ(whole.code, 0) << whole.err;
    EXPECT_EQ(parts.code, 0) << parts.err;
    EXPECT_THAT(
        parts.out,
        HasSubstr("The model runs in 4 parts: --mem-limit 300M is too low for all weights"));
    EXPECT_EQ(verdicts(whole.out), verdicts(parts.out));
    const auto expected = saved(folder_.path() + "/whole.json");
    const auto made = saved(folder_.path() + "/parts.json");
    ASSERT_EQ(expected.size(), made.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(expected[i].outputs.size(), made[i].outputs.size());
      for (size_t j = 0; j < expected[i].outputs.size(); ++j) {
        EXPECT_EQ(expected[i].outputs.at_index(j).first, made[i].outputs.at_index(j).first);
        EXPECT_TRUE(bitwise_equal(expected[i].output(j), made[i].output(j)));
      }
    }
  }
}

TEST_F(ManyWeights, ASequenceStaysInOnePart) {
  for (const int reader : {2, 3, 7}) {
    save(2, reader);
    const Outcome whole = run({});
    const Outcome parts = run({"--mem-limit", "300M"});
    EXPECT_EQ(parts.code, 0) << parts.err;
    EXPECT_THAT(parts.out, HasSubstr("The model runs in "));
    EXPECT_EQ(verdicts(whole.out), verdicts(parts.out));
    EXPECT_EQ(verdicts(whole.out).size(), 6U);
  }
}

TEST_F(ManyWeights, ASequenceThatNeedsTooManyNodesIsRefused) {
  save(2, 7, true);
  const Outcome outcome = run({"--mem-limit", "300M"});
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be cut into parts at 's', which is not a tensor"));
  EXPECT_THAT(outcome.err, HasSubstr("with a higher --mem-limit or none"));
}

TEST_F(ManyWeights, OnlyRunnersOfTheModelRunInParts) {
  const Outcome outcome = run({"--mem-limit", "300M", "--fp-to-fp16"});
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("cannot run in parts: its weights are converted to float16"));
}

}  // namespace
}  // namespace polygraphy::cli
