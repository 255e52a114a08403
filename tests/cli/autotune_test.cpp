// `plugin autotune` on ONNX Runtime, with replacements by operators that it has: figures differ
// from run to run, the verdicts do not. Without Python: the subgraphs come from a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <regex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/os/device_turn.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Two chains of functions that take long for each element; the first takes three quarters of it
// all, so that it shows on a busy machine, too.
std::string two_slow_chains(int64_t elements) {
  const std::string n = std::to_string(elements);
  std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[" + n +
                     "] x) => (float[" + n + "] y) {\n  a0 = Sin (x)\n";
  for (int i = 1; i <= 60; ++i) {
    text += "  a" + std::to_string(i) + " = Sin (a" + std::to_string(i - 1) + ")\n";
  }
  text += "  b0 = Tanh (a60)\n";
  for (int i = 1; i <= 20; ++i) {
    text += "  b" + std::to_string(i) + " = Sin (b" + std::to_string(i - 1) + ")\n";
  }
  return text + "  y = Neg (b20)\n}";
}

class Autotune : public testing::Test {
 protected:
  Autotune() {
    for (const std::string plugin : {"p", "q"}) {
      std::filesystem::create_directories(folder_.path() + "/plugins/" + plugin);
      folder_.write("plugins/" + plugin + "/pattern.py", "# find nothing\n");
    }
    graphsurgeon::Model model = graphsurgeon::parse_onnx_text(two_slow_chains(60000));
    graphsurgeon::save_model(model, folder_.path() + "/m.onnx");
  }

  // The first chain, and the second, each by an operator.
  void configure(const std::string& first, const std::string& second) {
    folder_.write("c.yaml",
                  "name: p\nop: " + first +
                      "\ninstances:\n- inputs: [x]\n  outputs: [a60]\n---\nname: q\nop: " + second +
                      "\ninstances:\n- inputs: [a60]\n  outputs: [b20]\n");
  }

  Outcome run(const std::vector<std::string>& options) {
    std::vector<std::string> args = {"plugin",  "autotune", "m.onnx",   "--plugin-dir",
                                     "plugins", "-o",       "out.onnx", "--load-config-yaml",
                                     "c.yaml"};
    args.insert(args.end(), options.begin(), options.end());
    Outcome outcome = run_in_process(
        args, {.variables = {"POLYGRAPHY_PYTHON=/nowhere/python3"}, .root = folder_.path()});
    outcome.out = without_figures(outcome.out);
    return outcome;
  }

  static std::string without_figures(const std::string& text) {
    return std::regex_replace(text, std::regex("[0-9][0-9.e+-]* (ms|%)"), "# $1");
  }
  std::string operators(const std::string& name) {
    const auto model = graphsurgeon::load_model(folder_.path() + "/" + name);
    std::string text;
    for (const auto& node : model.graph->nodes()) text += std::string(node->op()) + " ";
    return text;
  }
  bool exists(const std::string& name) {
    return std::filesystem::exists(folder_.path() + "/" + name);
  }

  TemporaryFolder folder_;
};

TEST_F(Autotune, KeepsWhatIsFaster) {
  configure("Identity", "Identity");
  const Outcome outcome = run({"--onnxrt", "--report", "report.txt"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  for (const std::string line : {"The unmodified model takes # ms on onnxrt with x:[60000]",
                                 "1 of 2: p 0 (x -> a60) | # ms beside # ms (# % less), kept",
                                 "2 of 2: q 0 (a60 -> b20) | # ms beside # ms (# % less), kept"}) {
    EXPECT_THAT(outcome.out, HasSubstr("[I] " + line + "\n"));
  }
  EXPECT_THAT(outcome.out, HasSubstr("[I] 2 of 2 replacements kept: p 0, q 0 | # ms instead of # "
                                     "ms (# % less)\n[I] Report saved to report.txt\n"));
  EXPECT_EQ(operators("out.onnx"), "Identity Identity Neg ");
  const std::string report = without_figures(folder_.read("report.txt"));
  EXPECT_THAT(report, HasSubstr("2 replacement(s) kept:\n    p 0 (x -> a60)\n"));
  EXPECT_THAT(report, HasSubstr("Best model:       # ms (# % less)\nSaved to:         out.onnx\n"));
}

TEST_F(Autotune, WhatTheRunnerRefusesIsWarnedOfAndNotKept) {
  configure("Identity", "NobodyKnowsThis");
  const Outcome outcome = run({"--onnxrt"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("[W] 2 of 2: q 0 (a60 -> b20) is rejected: "),
                                 HasSubstr("NobodyKnowsThis"), Not(HasSubstr(".polygraphy-"))));
  const std::string kept = operators("out.onnx");
  EXPECT_THAT(kept, AllOf(HasSubstr("Identity Tanh Sin"), Not(HasSubstr("NobodyKnowsThis"))));
}

TEST_F(Autotune, NothingFasterIsAnErrorAndWritesNothing) {
  configure("NobodyKnowsThis", "NorThis");
  const Outcome outcome = run({"--onnxrt", "--report", "report.txt"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "[!] No replacement makes m.onnx faster: all 2 candidate(s) failed to run on onnxrt\n"));
  EXPECT_FALSE(exists("out.onnx") || exists("report.txt"));
}

TEST_F(Autotune, SubsetsStopBeyondTheThreshold) {
  configure("Identity", "Identity");
  Outcome outcome = run({"--onnxrt", "--autotune-mode", "exhaustive"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("[I] 1 of 3: p 0"), Not(HasSubstr("2 of 3"))));
  EXPECT_THAT(operators("out.onnx"), HasSubstr("Identity Tanh"));
  outcome = run({"--onnxrt", "--autotune-mode", "exhaustive", "--threshold", "0.99"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("[I] 3 of 3: p 0, q 0 | "));
  EXPECT_EQ(operators("out.onnx"), "Identity Identity Neg ");
}

TEST_F(Autotune, WhatLiesWithinAnotherIsLeftOut) {
  folder_.write("c.yaml",
                "name: p\nop: Identity\ninstances:\n- inputs: [x]\n  outputs: [a60]\n"
                "- inputs: [a3]\n  outputs: [a5]\n");
  const Outcome outcome = run({"--onnxrt"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("[W] 2 of 2: p 1 (a3 -> a5) is rejected: it has no "
                                           "effect: its outputs are no longer needed\n"),
                                 HasSubstr("[I] 1 of 2 replacements kept: p 0 ")));
  // The other way round, the first is in vain in the end.
  folder_.write("c.yaml",
                "name: p\nop: Identity\ninstances:\n- inputs: [a1]\n  outputs: [a59]\n"
                "- inputs: [x]\n  outputs: [b20]\n");
  const Outcome other = run({"--onnxrt"});
  ASSERT_EQ(other.code, 0) << other.err << other.out;
  EXPECT_THAT(other.out,
              AllOf(HasSubstr("[I] 1 of 2 replacements kept: p 1 "), Not(HasSubstr("no effect"))));
  EXPECT_EQ(operators("out.onnx"), "Identity Neg ");
}

TEST_F(Autotune, TheModelMayBeTheOneThatWasRead) {
  configure("Identity", "Identity");
  const Outcome outcome = run({"--onnxrt", "--isolate", "-o", "m.onnx"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_EQ(operators("m.onnx"), "Identity Identity Neg ");
}

TEST_F(Autotune, IncludeAndExcludeChooseOfTheFile) {
  configure("Identity", "Identity");
  const Outcome outcome = run({"--onnxrt", "--exclude", "q"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("[I] 1 of 1 replacements kept: p 0 "));
  EXPECT_THAT(run({"--onnxrt", "--include", "r"}).err,
              HasSubstr("[!] There are no replacements to try: c.yaml has no subgraph of m.onnx "
                        "that a plugin can replace"));
}

TEST_F(Autotune, WrongInputsAreErrors) {
  configure("Identity", "Identity");
  EXPECT_THAT(run({"--onnxrt", "--max-combinations", "0"}).err,
              HasSubstr("[!] --max-combinations must be at least 1, but was: 0"));
  EXPECT_THAT(run({"--onnxrt", "--threshold", "-0.5"}).err,
              HasSubstr("[!] --threshold must be a fraction of at least 0, but was: -0.5"));
  EXPECT_THAT(run({"--onnxrt", "--runs", "0"}).err, HasSubstr("[!] --runs must be at least 1"));
  EXPECT_THAT(
      run({"--onnxrt", "--openvino"}).err,
      HasSubstr(
          "[!] Models are measured on one runner, but two are selected: --onnxrt and --openvino"));
  folder_.write("p.py", "");
  EXPECT_THAT(run({"--python-plugins", "p.py"}).err,
              HasSubstr("[!] --python-plugins cannot be measured"));
  EXPECT_THAT(run({"--trt", "--save-engine", "e.engine"}).err,
              HasSubstr("[!] --save-engine would be overwritten for each measured model"));
  folder_.write("c.yaml", "name: p\nop: P\ninstances:\n- inputs: [x]\n  outputs: [nope]\n");
  EXPECT_THAT(run({"--onnxrt"}).err,
              HasSubstr("[!] Instance 0 of the plugin p (c.yaml, line 4) names the tensor 'nope'"));
  EXPECT_FALSE(exists("out.onnx"));
}

TEST_F(Autotune, OptionsOfTensorRTAreWarnedOfElsewhere) {
  configure("Identity", "Identity");
  const Outcome outcome = run({"--onnxrt", "--no-timing-cache"});
  EXPECT_THAT(outcome.out, HasSubstr("[W] Option: --no-timing-cache has no effect without --trt"));
}

TEST_F(Autotune, SkippingMeasuresNothing) {
  configure("NobodyKnowsThis", "NorThis");
  const Outcome outcome = run({"--skip-autotuning"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[I] Loaded 2 plugin(s) from plugins\n"
                                     "[I] Loading plugin config from c.yaml\n"));
  EXPECT_FALSE(exists("out.onnx"));
}

// How often this process has the file open.
int open_files(const std::string& path) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    count += std::filesystem::read_symlink(entry.path(), gone) == path ? 1 : 0;
  }
  return count;
}

TEST_F(Autotune, MeasuresOnlyInTurn) {
  configure("Relu", "Identity");
  std::optional<DeviceTurn> turn(std::in_place, "cpu");
  std::atomic<bool> over = false;
  Outcome outcome;
  std::jthread tuning([&] {
    outcome = run({"--onnxrt"});
    over = true;
  });
  while (open_files("/tmp/polygraphy-turn-cpu.lock") < 2 && !over) std::this_thread::yield();
  EXPECT_FALSE(over);
  turn.reset();
  tuning.join();
  EXPECT_THAT(outcome.out, HasSubstr("The unmodified model takes")) << outcome.err;
}

}  // namespace
}  // namespace polygraphy::cli
