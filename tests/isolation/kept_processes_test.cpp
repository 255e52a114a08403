// Processes that run one model after another.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {
namespace {

class KeptProcesses : public testing::Test {
 protected:
  static RunnerTools tools() {
    RunnerTools tools{.program = PG_BINARY_DIR "/bin/polygraphy"};
    tools.paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
    tools.paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
    return tools;
  }

  // y = op (x), of 2.
  float result(const std::string& op) {
    const std::string path = folder_.path() + "/" + op + ".onnx";
    graphsurgeon::save_model(
        graphsurgeon::parse_onnx_text("<ir_version: 8, opset_import: [\"\": 17]>"
                                      "g (float[1] x) => (float[1] y) { y = " +
                                      op + " (x) }"),
        path);
    const auto runner =
        factory_.make(factory_.isolated({.backend = "onnxrt", .name = op}), {.path = path}, log_);
    ActiveRunner active(*runner);
    return active.infer({{"x", Array::of<float>({1}, {2})}}).find("y")->tensor().as<float>()[0];
  }

  // Those that this process has started and that run.
  static std::string processes() {
    std::string all;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string of_task;
      std::getline(std::ifstream(task.path() / "children"), of_task);
      all += of_task;
    }
    return all;
  }

  const TemporaryFolder folder_;
  Logger log_;
  RunnerFactory factory_{tools(), log_};
};

TEST_F(KeptProcesses, ServeTheNextRunnerOfTheirLibrary) {
  const auto kept = factory_.keep_processes();
  EXPECT_EQ(result("Neg"), -2);
  const std::string first = processes();
  EXPECT_NE(first, "");
  EXPECT_EQ(result("Reciprocal"), 0.5);
  EXPECT_EQ(processes(), first);
}

TEST_F(KeptProcesses, EndWithTheWishToKeepThem) {
  auto kept = factory_.keep_processes();
  EXPECT_EQ(result("Neg"), -2);
  kept.reset();
  EXPECT_EQ(processes(), "");
  EXPECT_EQ(result("Neg"), -2);
  EXPECT_EQ(processes(), "");
}

}  // namespace
}  // namespace polygraphy
