// Engines that refuse local functions: OpenVINO.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kCalls = R"(<ir_version: 8, opset_import: ["": 17, "local": 1]>
  g (float[N,4] x) => (float[N,4] z) { a = Relu(x)  b = local.f(a)  z = Exp(b) }
  <opset_import: ["": 17], domain: "local"> f (a) => (b) { c = Neg(a)  b = Tanh(c) })";

// The runtime lacks the operator in the function, too.
constexpr const char* kUnknown = R"(<ir_version: 8, opset_import: ["": 17, "local": 1, "own": 1]>
  g (float[N,4] x) => (float[N,4] z) { z = local.f(x) }
  <opset_import: ["own": 1], domain: "local"> f (a) => (b) { b = own.Unknown(a) })";

class LocalFunctions : public testing::Test {
 protected:
  LocalFunctions() {
    folder_.write("m.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(kCalls)));
    folder_.write("unknown.onnx",
                  graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(kUnknown)));
  }
  Outcome run(const std::vector<std::string>& args) const {
    return run_in_process(args, {.root = folder_.path(), .columns = 200});
  }

  const TemporaryFolder folder_;
};

TEST_F(LocalFunctions, LocateRunsTheModelWithoutThem) {
  const Outcome outcome =
      run({"debug", "locate", "m.onnx", "--onnxrt", "--openvino", "--json", "j.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr(" runs the model with its local functions inlined: openvino cannot load"));
  EXPECT_THAT(folder_.read("j.json"), HasSubstr("\"agreement\": \"agrees\""));
}

TEST_F(LocalFunctions, TheNoiseFloorOfTheModelWithoutThem) {
  const Outcome outcome = run({"run", "m.onnx", "--onnxrt", "--openvino", "--noise-floor"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("openvino runs a copy of the model with its local functions inlined: "));
}

TEST_F(LocalFunctions, ConsistencyOfTheModelWithoutThem) {
  const Outcome outcome = run({"check", "consistency", "m.onnx", "--openvino"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr(" runs the model with its local functions inlined: openvino cannot load"));
}

TEST_F(LocalFunctions, AModelThatIsRefusedWithoutThemTooIsAFailure) {
  EXPECT_EQ(run({"debug", "locate", "unknown.onnx", "--onnxrt", "--openvino"}).code, 3);
  const Outcome floor = run({"run", "unknown.onnx", "--openvino", "--openvino", "--noise-floor"});
  EXPECT_EQ(floor.code, 1);
  EXPECT_THAT(floor.out + floor.err, Not(HasSubstr("inlined")));
  EXPECT_THAT(floor.out + floor.err, HasSubstr("local.f"));
  const Outcome consistency = run({"check", "consistency", "unknown.onnx", "--openvino"});
  EXPECT_EQ(consistency.code, 3);
  EXPECT_THAT(consistency.out + consistency.err, HasSubstr("local.f"));
}

// Whether a runtime takes a model as it is may be the question.
TEST_F(LocalFunctions, AnotherRunTakesTheModelAsItIs) {
  EXPECT_EQ(run({"run", "m.onnx", "--openvino"}).code, 1);
}

}  // namespace
}  // namespace polygraphy::cli
