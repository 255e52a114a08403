// Runners of specs: through the library.
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/data/user_python/user_python.h"
#include "runner_doors.h"

namespace polygraphy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class RunnerFactoryTest : public testing::Test {
 protected:
  RunnerFactoryTest() {
    model_.path = folder_.path() + "/twice.onnx";
    graphsurgeon::save_model(graphsurgeon::parse_onnx_text(kTwice), model_.path);
    tools_.paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
    tools_.paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
    tools_.program = PG_BINARY_DIR "/bin/polygraphy";
  }

  // y of x = 1, 2 on each of the runners.
  std::vector<std::vector<double>> run(const std::vector<std::string>& specs) {
    std::vector<RunnerSpec> parsed;
    for (const std::string& spec : specs) parsed.push_back(parse_runner_spec(spec));
    RunnerFactory factory(tools_, log_);
    std::vector<std::vector<double>> results;
    for (const auto& runner : factory.make_all(parsed, model_, log_)) {
      const ActiveRunner active(*runner);
      const ValueMap outputs = runner->infer({{"x", Array::of<float>({2}, {1, 2})}});
      const Array& y = outputs.find("y")->tensor();
      results.push_back({y.get_double(0), y.get_double(1)});
    }
    return results;
  }

  void set_python() { tools_.python = std::make_shared<UserPython>(PythonOptions{}, log_); }

  std::string error_of(const std::string& spec) {
    try {
      run({spec});
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  const TemporaryFolder folder_;
  ModelSource model_;
  Logger log_;
  RunnerTools tools_;
};

const std::vector<double> kDoubled = {2, 4};

TEST_F(RunnerFactoryTest, InASession) {
  EXPECT_THAT(run({"onnxrt"}), testing::Each(kDoubled));
}

TEST_F(RunnerFactoryTest, InAProcessOfItsOwn) {
  EXPECT_THAT(run({"onnxrt --isolated", "onnxrt --timeout=60"}), testing::Each(kDoubled));
}

TEST_F(RunnerFactoryTest, LibrariesThatClashGetProcessesOfTheirOwn) {
  RunnerFactory factory(tools_, log_);
  const std::vector<RunnerSpec> specs = factory.complete(
      {parse_runner_spec("openvino"), parse_runner_spec("openvino --library=" + openvino_library()),
       parse_runner_spec("onnxrt")});
  EXPECT_TRUE(specs[0].isolated);
  EXPECT_TRUE(specs[1].isolated);
  EXPECT_THAT(run({"openvino", "openvino --library=" + openvino_library()}),
              testing::Each(kDoubled));
}

TEST_F(RunnerFactoryTest, OfAProgram) {
  const std::string program = write_twice_program(folder_.path());
  EXPECT_THAT(run({program}), testing::Each(kDoubled));
}

TEST_F(RunnerFactoryTest, OfAModelInMemory) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(kTwice);
  model_ = {.path = "the model", .model = &model};
  EXPECT_THAT(run({"onnxrt", "onnxrt --isolated", write_twice_program(folder_.path())}),
              testing::Each(kDoubled));
}

// In the form of each runner: SavedModel, ONNX.
TEST_F(RunnerFactoryTest, OfASavedModel) {
  const std::string packages = tensorflow_packages();
  if (packages.empty()) GTEST_SKIP() << kNoTensorFlow;
  const PythonPath path(packages);
  set_python();
  model_ = {.path = kSavedModel, .format = "saved_model"};
  RunnerFactory factory(tools_, log_);
  const std::vector<RunnerSpec> specs = {{.backend = "tensorflow", .library = tensorflow_library()},
                                         parse_runner_spec("onnxrt"),
                                         parse_runner_spec("onnxrt --isolated")};
  for (const auto& runner : factory.make_all(specs, model_, log_)) {
    const ActiveRunner active(*runner);
    const ValueMap outputs = runner->infer({{"x", Array::of<float>({1, 3}, {1, 1, 1})}});
    EXPECT_EQ(outputs.find("scaled")->tensor().get_double(2), 3) << runner->name();
    EXPECT_EQ(outputs.find("total")->tensor().get_double(0), 6) << runner->name();
  }
}

TEST_F(RunnerFactoryTest, OfASavedModelWithoutTensorFlow) {
  const std::string packages = packages_without_tensorflow(folder_.path());
  if (packages.empty()) GTEST_SKIP() << kNoNumPy;
  const PythonPath path(packages);
  set_python();
  model_ = {.path = kSavedModel, .format = "saved_model"};
  EXPECT_THAT(error_of("onnxrt"), HasSubstr("lacks the module tensorflow"));
}

TEST_F(RunnerFactoryTest, AModelOfTensorFlowNeedsPython) {
  std::filesystem::create_directory(folder_.path() + "/saved");
  model_ = {.path = folder_.path() + "/saved", .format = "saved_model"};
  EXPECT_THAT(error_of("onnxrt"),
              HasSubstr("is a model of TensorFlow (saved_model): its conversion "
                        "needs Python, which is missing"));
}

TEST_F(RunnerFactoryTest, NamesAreCountedByBackEnd) {
  RunnerFactory factory(tools_, log_);
  const auto specs =
      factory.complete({parse_runner_spec("onnxrt"), parse_runner_spec("openvino"),
                        parse_runner_spec("onnxrt"), parse_runner_spec("onnxrt --name=mine")});
  EXPECT_THAT(specs[0].name, ContainsRegex("^onnxrt-runner-N0-"));
  EXPECT_THAT(specs[1].name, ContainsRegex("^openvino-runner-N0-"));
  EXPECT_THAT(specs[2].name, ContainsRegex("^onnxrt-runner-N1-"));
  EXPECT_EQ(specs[3].name, "mine");
}

TEST_F(RunnerFactoryTest, RunnersOutliveTheirFactory) {
  auto factory = std::make_unique<RunnerFactory>(tools_, log_);
  const auto runner = factory->make(parse_runner_spec("onnxrt"), model_, log_);
  factory.reset();
  const ActiveRunner active(*runner);
  EXPECT_EQ(runner->infer({{"x", Array::of<float>({2}, {1, 2})}}).find("y")->tensor().get_double(1),
            4);
}

TEST_F(RunnerFactoryTest, ErrorsNameTheRunner) {
  EXPECT_THAT(error_of("onxrt"), HasSubstr("'onxrt'"));
  model_.format = "engine";
  EXPECT_THAT(error_of("onnxrt"), HasSubstr("it is a model of type engine"));
  model_.format = kOnnxFormat;
  tools_.program.clear();
  EXPECT_THAT(error_of("onnxrt --isolated"), HasSubstr("needs a separate process"));
}

}  // namespace
}  // namespace polygraphy
