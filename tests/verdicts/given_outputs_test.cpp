// Inputs that no node reads, and outputs that no node makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kUnused = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[3] unused, float[N,4] x) => (float[N,4] z) { y = Relu(x)  z = Exp(y) })";

// Outputs: an input, a constant, and what a node makes.
constexpr const char* kGiven = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[N,4] x) => (float[N,4] x, float[2] c, float[N,4] z) <float[2] c = {1, 2}>
  { y = Relu(x)  z = Exp(y) })";

class GivenOutputs : public testing::Test {
 protected:
  GivenOutputs() {
    folder_.write("unused.onnx",
                  graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(kUnused)));
    folder_.write("given.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(kGiven)));
  }
  std::string run(std::vector<std::string> args, int code = 0) const {
    const Outcome outcome =
        run_in_process(std::move(args), {.root = folder_.path(), .columns = 200});
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    return outcome.out + outcome.err;
  }

  const TemporaryFolder folder_;
};

TEST_F(GivenOutputs, UnusedInputsAreFed) {
  for (const char* engine : {"--onnxrt", "--openvino"})
    EXPECT_THAT(run({"debug", "locate", "unused.onnx", "--onnxrt", engine}),
                HasSubstr("1 output of "));
  EXPECT_THAT(run({"debug", "locate", "unused.onnx", "--float-model", "unused.onnx", "--onnxrt"}),
              HasSubstr(" agrees within "));
  run({"run", "unused.onnx", "--onnxrt", "--openvino", "--noise-floor"});
}

TEST_F(GivenOutputs, InputsOfOtherNamesAreFedByTheirPlace) {
  folder_.write("other.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
                                  R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[3,4] sample) => (float[3,4] z) { z = Relu(sample) })")));
  folder_.write("x.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
                              R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[3,4] x) => (float[3,4] z) { z = Relu(x) })")));
  run({"run", "other.onnx", "--onnxrt", "--save-inputs", "i.json"});
  for (std::vector<std::string> args :
       {std::vector<std::string>{"debug", "locate", "x.onnx", "--onnxrt", "--openvino"},
        {"run", "x.onnx", "--onnxrt", "--openvino", "--noise-floor"}}) {
    args.insert(args.end(), {"--load-inputs", "i.json"});
    EXPECT_THAT(run(args),
                AllOf(HasSubstr("Buffer name (sample) does not match expected input name (x)"),
                      HasSubstr(" agrees within ")));
  }
}

TEST_F(GivenOutputs, TensorsThatOnlyAFileHasAreNotCompared) {
  run({"run", "unused.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--save-outputs",
       "all.json"});
  EXPECT_THAT(
      run({"run", "unused.onnx", "--onnxrt", "--load-outputs", "all.json", "--noise-floor"}),
      AllOf(HasSubstr("1 output of "), HasSubstr("1 other was not compared")));
  run({"run", "unused.onnx", "--onnxrt", "--onnx-outputs", "y", "--save-outputs", "y.json"});
  EXPECT_THAT(
      run({"run", "unused.onnx", "--onnxrt", "--load-outputs", "y.json", "--noise-floor"}, 1),
      HasSubstr("no common outputs found"));
}

TEST_F(GivenOutputs, SavedResultsOfAllNodesLackThem) {
  run({"run", "given.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--save-outputs",
       "all.json"});
  run({"run", "given.onnx", "--onnxrt", "--save-outputs", "model.json"});
  EXPECT_THAT(run({"debug", "locate", "given.onnx", "--onnxrt", "--onnxrt"}),
              HasSubstr("3 outputs of "));
  EXPECT_THAT(run({"debug", "locate", "given.onnx", "--onnxrt", "--load-outputs", "model.json"}),
              HasSubstr("3 outputs of "));
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--atol", "1"}}) {
    std::vector<std::string> args = {"debug",    "locate",         "given.onnx",
                                     "--onnxrt", "--load-outputs", "all.json"};
    args.insert(args.end(), more.begin(), more.end());
    EXPECT_THAT(run(args),
                AllOf(HasSubstr("1 output of "), HasSubstr("2 others were not compared")));
  }
}

}  // namespace
}  // namespace polygraphy::cli
