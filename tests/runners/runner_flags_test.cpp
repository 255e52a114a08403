// The same runners through the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "runner_doors.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

class RunnerFlags : public testing::Test {
 protected:
  RunnerFlags() : model_(folder_.path() + "/twice.onnx") {
    graphsurgeon::save_model(graphsurgeon::parse_onnx_text(kTwice), model_);
    folder_.write("inputs.json", R"([{"x": [1.0, 2.0]}])");
  }

  // Compared with ONNX Runtime in our process.
  Outcome run(const std::vector<std::string>& runner) {
    std::vector<std::string> args = {"run",      model_,          "-v",
                                     "--onnxrt", "--load-inputs", folder_.path() + "/inputs.json"};
    args.insert(args.end(), runner.begin(), runner.end());
    return run_in_process(args);
  }

  const TemporaryFolder folder_;
  const std::string model_;
};

TEST_F(RunnerFlags, InASession) {
  const Outcome outcome = run({"--onnxrt"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(RunnerFlags, InAProcessOfItsOwn) {
  EXPECT_EQ(run({"--onnxrt", "--isolate"}).code, 0);
  EXPECT_EQ(run({"--onnxrt", "--timeout", "60"}).code, 0);
}

TEST_F(RunnerFlags, LibrariesThatClashGetProcessesOfTheirOwn) {
  const std::string library = openvino_library();
  const Outcome outcome = run({"--openvino", "--openvino-lib", library, "--openvino",
                               "--openvino-lib", other_path_of(library)});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Running each runner in a separate process: two versions"));
}

TEST_F(RunnerFlags, OfAProgram) {
  const Outcome outcome = run({"--model-runner", write_twice_program(folder_.path())});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(RunnerFlags, OfASavedModel) {
  const std::string packages = tensorflow_packages();
  if (packages.empty()) GTEST_SKIP() << kNoTensorFlow;
  const PythonPath path(packages);
  const Outcome outcome =
      run_in_process({"run", kSavedModel, "--tf", "--tf-lib", tensorflow_library(), "--onnxrt"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(RunnerFlags, OfASavedModelWithoutTensorFlow) {
  const std::string packages = packages_without_tensorflow(folder_.path());
  if (packages.empty()) GTEST_SKIP() << kNoNumPy;
  const PythonPath path(packages);
  const Outcome outcome = run_in_process({"run", kSavedModel, "--onnxrt"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("lacks the module tensorflow"));
}

}  // namespace
}  // namespace polygraphy::cli
