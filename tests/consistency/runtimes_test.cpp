// ONNX Runtime and OpenVINO against themselves, through the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// A perceptron of any number of rows.
constexpr const char* kPerceptron = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[N,3] x) => (float[N,2] y)
  <float[3,2] w = {0.5, -1, 2, 0.25, 1, 3}, float[2] b = {1, -1}>
  { m = MatMul(x, w) a = Add(m, b) y = Relu(a) })";

// The convolution overflows. Fused with the factor behind it, it does not.
constexpr const char* kOverflowing = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[N,1,4,4] x) => (float[N,1,4,4] y)
  <float[1,1,1,1] w = {1e30}, float[1,1,1,1] s = {1e-30}>
  { c = Conv(x, w) y = Mul(c, s) })";

class RuntimesTest : public testing::Test {
 protected:
  Outcome check(const char* model, std::vector<std::string> options) {
    const std::string path =
        folder_.write("m.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(model)));
    std::vector<std::string> args = {"check", "consistency", path};
    args.insert(args.end(), options.begin(), options.end());
    Outcome outcome = run_in_process(args, {.columns = 200});
    outcome.out = without_dates(outcome.out);
    return outcome;
  }

  const TemporaryFolder folder_;
};

TEST_F(RuntimesTest, OnnxRuntimeAgreesWithItself) {
  const Outcome outcome = check(kPerceptron, {"--onnxrt"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Consistent: "));
  EXPECT_THAT(outcome.out, HasSubstr("ORT_ENABLE_ALL against ORT_DISABLE_ALL"));
  EXPECT_THAT(outcome.out, HasSubstr("saved by the engine and loaded again"));
  EXPECT_THAT(outcome.out, HasSubstr("in a separate process"));
  EXPECT_THAT(outcome.out, HasSubstr("11 identical, 1 not applicable"));  // it has no cache
}

TEST_F(RuntimesTest, OpenVinoAgreesWithItself) {
  const Outcome outcome = check(kPerceptron, {"--openvino"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("compiled against loaded from the cache"));
  EXPECT_THAT(outcome.out, HasSubstr("no option for levels of optimisation"));
}

TEST_F(RuntimesTest, TheOptimizerThatFusesAnOverflowAway) {
  const Outcome outcome = check(
      kOverflowing, {"--onnxrt", "--val-range", "[1e9,1e10]", "--only-check", "optimization"});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("ORT_ENABLE_BASIC against ORT_DISABLE_ALL"));
  EXPECT_THAT(outcome.out, HasSubstr("agrees without ConvMulFusion\n"));
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("Not consistent: 3 differ"));
}

// Sums of 4096 numbers that cancel: ONNX Runtime adds them in another order where it optimises.
TEST_F(RuntimesTest, SumsInAnotherOrderAreNoise) {
  constexpr const char* kSums = R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[N,4096] x) => (float[N,16] y)
      <int64 zero = {0}, int64 count = {65536}, int64 one = {1}, int64[2] sizes = {4096, 16},
       float hundred = {100}> {
      i = Range(zero, count, one)
      f = Cast <to = 1> (i)
      s = Sin(f)
      h = Mul(s, hundred)
      w = Reshape(h, sizes)
      y = MatMul(x, w)
    })";
  const std::vector<std::string> options = {"--onnxrt", "--val-range", "[-1,1]", "--only-check",
                                            "optimization"};
  const Outcome outcome = check(kSums, options);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the tolerance is 3× the output's noise: "));
  std::vector<std::string> given = options;
  given.insert(given.end(), {"--atol", "1e-5"});
  EXPECT_EQ(check(kSums, given).code, 1) << "tolerances that are given decide alone";
}

// All levels overflow alike then, which leaves no number to compare.
TEST_F(RuntimesTest, WithoutThatOptimizerNoLevelHasAFiniteNumber) {
  const Outcome outcome =
      check(kOverflowing, {"--onnxrt", "--val-range", "[1e9,1e10]", "--only-check", "optimization",
                           "--disable-optimizers", "ConvMulFusion", "ConvActivationFusion"});
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the outputs have no finite number"));
}

TEST_F(RuntimesTest, RandomOperators) {
  const Outcome outcome = check(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[N,3] x) => (float[N,3] y) { r = RandomNormalLike(x) y = Add(x, r) })",
                                {"--onnxrt", "--only-check", "repeat"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("1 random operator(s)"));
  EXPECT_THAT(outcome.out, HasSubstr("the model has random operators: 'r' (RandomNormalLike)"));
}

TEST_F(RuntimesTest, RowsThatDependOnEachOtherByTheModel) {
  const Outcome outcome = check(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[N,3] x) => (float[N,3] y) { y = Softmax <axis = 0> (x) })",
                                {"--onnxrt", "--only-check", "batch"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("in the model: 'y' (Softmax over axis 0)"));
}

TEST_F(RuntimesTest, ABatchThatTheModelDoesNotTake) {
  const Outcome outcome = check(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[N,3] x) => (float[1,3] y) <int64[2] s = {1, 3}> { y = Reshape(x, s) })",
                                {"--onnxrt", "--only-check", "rows", "repeat"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out,
              HasSubstr("rows    row 0 of 8 identical ones against the others  failed"));
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("Not all could be compared: 1 could not be run, 2 identical"));
}

TEST_F(RuntimesTest, OutputsWithoutRowsAreLeftOut) {
  const Outcome outcome = check(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[N,3] x) => (float[N,3] y, float[3] z) <int64[1] axes = {0}>
      { y = Relu(x) z = ReduceSum <keepdims = 0> (x, axes) })",
                                {"--onnxrt", "--only-check", "batch"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("skipped: z (3,), without one row per input row"));
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("1 identical; 1 output was not compared by rows"));
}

// By the name of the dimension, or by the shapes where it has none.
TEST_F(RuntimesTest, RowsAlongAnotherAxis) {
  const Outcome outcome = check(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[N,3] x, float[2,N,3] s) => (float[N,3] y, float[2,N,3] next, float[3,M] turned)
      { y = Relu(x)  next = Add(s, x)  turned = Transpose(x) })",
                                {"--onnxrt", "--only-check", "rows", "batch", "permuted"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Consistent: 3 identical"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("not compared by rows")));
  // The index is that in the output.
  const Outcome differs = check(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[N,3] x, float[2,N,3] s) => (float[2,N,3] z) <int64 axis = {1}>
      { next = Add(s, x)  z = CumSum(next, axis) })",
                                {"--onnxrt", "--only-check", "rows"});
  EXPECT_EQ(differs.code, 1);
  EXPECT_THAT(differs.out, HasSubstr(", 7, "));
}

TEST_F(RuntimesTest, NoOutputHasRows) {
  const Outcome outcome = check(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[N,3] x) => (float[3] z) <int64[1] axes = {0}>
      { z = ReduceSum <keepdims = 0> (x, axes) })",
                                {"--onnxrt", "--only-check", "rows", "batch", "permuted"});
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("not applicable"));
  EXPECT_THAT(outcome.out, HasSubstr("skipped: z (3,), without one row per input row"));
  EXPECT_THAT(outcome.out, HasSubstr("Nothing was compared: 3 not applicable"));
}

TEST_F(RuntimesTest, TheFileForPrograms) {
  const std::string json = folder_.path() + "/found.json";
  const Outcome outcome =
      check(kPerceptron, {"--onnxrt", "--json", json, "--only-check", "repeat"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const std::string text = folder_.read("found.json");
  EXPECT_THAT(text, HasSubstr(R"("consistent": true)"));
  EXPECT_THAT(text, HasSubstr(R"("check": "repeat")"));
}

}  // namespace
}  // namespace polygraphy::cli
