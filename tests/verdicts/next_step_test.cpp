// The log of a `run` whose outputs differ recommends the next command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string scaled_by(const std::string& factor) {
  return graphsurgeon::encode_model(
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[1,2] x) => (float[1,2] y) <float[1] w = {)" +
                                    factor + "}> { y = Mul(x, w) }"));
}

class NextStep : public testing::Test {
 protected:
  NextStep() {
    folder_.write("m.onnx", scaled_by("1"));
    folder_.write("other.onnx", scaled_by("1.01"));
    run({"other.onnx", "--onnxrt", "--save-outputs", "y.json"});
  }
  std::string run(std::vector<std::string> args, std::vector<std::string> variables = {}) const {
    args.insert(args.begin(), "run");
    return run_in_process(args, {.variables = std::move(variables), .root = folder_.path()}).out;
  }

  TemporaryFolder folder_;
};

TEST_F(NextStep, StandsBeforeTheLastLineWithTheUsersOptions) {
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "--load-outputs", "y.json", "--val-range", "x:[0,2]"}),
              HasSubstr("\n[I] Is it rounding? Add --noise-floor. Which node? polygraphy debug "
                        "locate m.onnx --onnxrt --load-outputs y.json --val-range 'x:[0,2]'\n"
                        "[E] FAILED | Runtime"));
}

TEST_F(NextStep, DoesNotRecommendWhatWasGiven) {
  const std::string log = run({"m.onnx", "--onnxrt", "--load-outputs", "y.json", "--noise-floor"});
  EXPECT_THAT(log, HasSubstr("\n[I] Which node? polygraphy debug locate m.onnx"));
  EXPECT_THAT(log, Not(HasSubstr("Is it rounding?")));
}

TEST_F(NextStep, OfTwoModelsTheFirstOneIsTheFloatModel) {
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "--onnxrt", "other.onnx"}),
              HasSubstr("Which node? polygraphy debug locate other.onnx --float-model m.onnx "
                        "--onnxrt --onnxrt\n"));
}

TEST_F(NextStep, IsForPeopleAndForOutputsThatDiffer) {
  const std::vector<std::string> failing = {"m.onnx", "--onnxrt", "--load-outputs", "y.json"};
  EXPECT_THAT(run(failing, {"POLYGRAPHY_DEBUG_MODEL=m.onnx"}), Not(HasSubstr("Which node?")))
      << "a check of debug reduce";
  EXPECT_THAT(run({"other.onnx", "--onnxrt", "--load-outputs", "y.json"}),
              Not(HasSubstr("Which node?")));
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "--load-outputs", "m.onnx"}),
              Not(HasSubstr("Which node?")));
}

// One warning, in the same words, of every command that generates them.
TEST_F(NextStep, EveryCommandSaysThatItsInputsAreMadeUp) {
  folder_.write("ints.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
                                 R"(<ir_version: 8, opset_import: ["": 17]>
  g (int64[2,4] ids) => (float[2,2] y) <float[4,2] w = {1, 2, 3, 4, 5, 6, 7, 8}>
  { f = Cast<to = 1>(ids) y = MatMul(f, w) })")));
  const std::vector<std::vector<std::string>> commands = {
      {"run", "ints.onnx", "--onnxrt"},
      {"run", "ints.onnx", "--onnxrt", "--benchmark"},
      {"run", "ints.onnx", "--onnxrt", "--on", "local:1"},
      {"surgeon", "sanitize", "ints.onnx", "--verify", "-o", "clean.onnx"},
      {"check", "lint", "ints.onnx"},
      {"check", "consistency", "ints.onnx", "--onnxrt", "--only-check", "repeat"},
      {"debug", "locate", "ints.onnx", "--onnxrt", "--onnxrt"},
      {"debug", "sensitivity", "ints.onnx"}};
  for (const auto& command : commands) {
    const std::string out = run_in_process(command, {.root = folder_.path()}).out;
    EXPECT_THAT(out, HasSubstr("[W] Input tensor: ids | All values are 0 or 1")) << command[1];
  }
}

// Of generated inputs that an engine refuses.
TEST_F(NextStep, NamesTheShapesThatWereMadeUp) {
  folder_.write("rows.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
                                 R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[N] x) => (float[2,M] y) <int64[2] s = {2, -1}> { y = Reshape (x, s) })")));
  const std::vector<std::vector<std::string>> commands = {
      {"run", "rows.onnx", "--onnxrt"}, {"debug", "locate", "rows.onnx", "--onnxrt", "--openvino"}};
  for (const auto& command : commands) {
    const Outcome outcome = run_in_process(command, {.root = folder_.path()});
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr("Their shapes: x:[1].")) << command[0];
    EXPECT_NE(outcome.code, 0);
  }
}

}  // namespace
}  // namespace polygraphy::cli
