// `plugin` without Python: outputs, refusals, and no partial files. Patterns in Python:
// tests/parity/test_plugin.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graphsurgeon/io/load.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

class Plugin : public testing::Test {
 protected:
  Plugin() {
    std::filesystem::create_directories(folder_.path() + "/models");
    std::filesystem::create_directories(folder_.path() + "/plugins/p");
    folder_.write("models/m.onnx", identity_model());
    folder_.write("plugins/p/pattern.py", "def get_matching_subgraphs(graph): return []\n");
    folder_.write("models/config.yaml",
                  "name: p\nop: P\ninstances:\n- inputs: [x]\n  outputs: [y]\n");
  }

  Outcome run(std::vector<std::string> args) {
    args.insert(args.begin(), "plugin");
    // No interpreter: nothing may start one.
    return run_in_process(
        args, {.variables = {"POLYGRAPHY_PYTHON=/nowhere/python3"}, .root = folder_.path()});
  }
  bool exists(const std::string& name) {
    return std::filesystem::exists(folder_.path() + "/" + name);
  }

  TemporaryFolder folder_;
};

TEST_F(Plugin, ReplacesWithoutPythonBesideTheModel) {
  const Outcome outcome = run({"replace", "models/m.onnx", "--plugin-dir", "plugins"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[I] replaced 1 instances of p plugin\n"));
  const auto model = graphsurgeon::load_model(folder_.path() + "/models/replaced.onnx");
  ASSERT_EQ(model.graph->nodes().size(), 1u);
  EXPECT_EQ(model.graph->nodes()[0]->op(), "P");
  EXPECT_EQ(model.graph->nodes()[0]->name(), "onnx_graphsurgeon_node_0");
}

TEST_F(Plugin, AConfigurationOfAnotherModelLeavesTheOldFile) {
  folder_.write("models/replaced.onnx", "old");
  folder_.write("c.yaml", "name: p\nop: P\ninstances:\n- inputs: [x]\n  outputs: [elsewhere]\n");
  const Outcome outcome =
      run({"replace", "models/m.onnx", "--plugin-dir", "plugins", "--config", "c.yaml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("c.yaml, line 4) names the tensor 'elsewhere'"));
  EXPECT_THAT(outcome.err, HasSubstr("`polygraphy plugin match` writes one."));
  EXPECT_EQ(folder_.read("models/replaced.onnx"), "old");
}

TEST_F(Plugin, PatternsAreNotOverwritten) {
  const Outcome outcome =
      run({"match", "models/m.onnx", "--plugin-dir", "plugins", "-o", "plugins/p/pattern.py"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("-o would overwrite 'plugins/p/pattern.py'"));
}

TEST_F(Plugin, MatchingNeedsPythonAndWritesNothingWithoutIt) {
  const Outcome outcome =
      run({"match", "models/m.onnx", "--plugin-dir", "plugins", "-o", "new.yaml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("POLYGRAPHY_PYTHON"));
  EXPECT_FALSE(exists("new.yaml"));
}

TEST_F(Plugin, AFolderWithoutPluginsIsWarnedOfAndWritesAnEmptyFile) {
  std::filesystem::create_directories(folder_.path() + "/empty");
  const Outcome outcome = run({"match", "models/m.onnx", "--plugin-dir", "empty", "-o", "c.yaml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[W] No plugins in "));
  EXPECT_THAT(outcome.out, HasSubstr("[I] the following plugins matched:\n[I] {}\n"));
  EXPECT_EQ(folder_.read("c.yaml"), "");
}

}  // namespace
}  // namespace polygraphy::cli
