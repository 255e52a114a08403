// `debug locate` with tolerances and without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string layer(const char* weight) {
  return graphsurgeon::encode_model(
      graphsurgeon::parse_onnx_text(std::string(R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[1,2] x) => (float[1,2] y) <float[1] w = {)") +
                                    weight + "}> { m = Mul(x, w) y = Relu(m) }"));
}

// A reference that is off by a thousandth.
class LocateTolerances : public testing::Test {
 protected:
  LocateTolerances() {
    folder_.write("m.onnx", layer("1"));
    folder_.write("other.onnx", layer("1.001"));
    EXPECT_EQ(run({"run", "other.onnx", "--onnxrt", "--save-outputs", "y.json"}).code, 0);
  }
  Outcome run(std::vector<std::string> args) const {
    return run_in_process(args, {.root = folder_.path(), .columns = 200});
  }
  Outcome locate(std::vector<std::string> more) const {
    std::vector<std::string> args = {"debug",      "locate",         "m.onnx",
                                     "--openvino", "--load-outputs", "y.json"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }

  TemporaryFolder folder_;
};

TEST_F(LocateTolerances, DecideTheVerdictWhereTheyAreGiven) {
  EXPECT_EQ(locate({}).code, 1);
  for (const std::vector<std::string>& given :
       {std::vector<std::string>{"--atol", "0.01"}, {"--compare", "l2", "--l2-tol", "0.1"}}) {
    const Outcome allowed = locate(given);
    EXPECT_EQ(allowed.code, 0) << allowed.out << allowed.err;
    EXPECT_THAT(allowed.out, HasSubstr(" agrees "));
  }
  const Outcome tight = locate({"--atol", "1e-5", "--rtol", "1e-5"});
  EXPECT_EQ(tight.code, 1);
  EXPECT_THAT(tight.out, HasSubstr(" differs by more than the tolerances"));
}

std::string two_outputs(const char* count) {
  return graphsurgeon::encode_model(
      graphsurgeon::parse_onnx_text(std::string(R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[4] x) => (y, z) <int64[1] first = {0}, int64[1] last = {)") +
                                    count + "}> { y = Slice(x, first, last) z = Neg(x) }"));
}

TEST_F(LocateTolerances, DoNotCountOutputsWithoutElements) {
  folder_.write("empty.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
                                  R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[4] x) => (y) <int64[1] first = {0}> { y = Slice(x, first, first) })")));
  folder_.write("some.onnx", two_outputs("0"));
  for (const std::vector<std::string>& tolerances :
       {std::vector<std::string>{}, {"--atol", "1e-3"}}) {
    std::vector<std::string> args = {"debug", "locate", "empty.onnx", "--onnxrt", "--onnxrt"};
    args.insert(args.end(), tolerances.begin(), tolerances.end());
    EXPECT_THAT(run(args).out, HasSubstr("Nothing was compared: 1 output"));
    args[2] = "some.onnx";
    EXPECT_THAT(run(args).out, HasSubstr("; 'y' has no elements"));
  }
}

TEST_F(LocateTolerances, FailAnOutputOfOneSide) {
  folder_.write("two.onnx", two_outputs("4"));
  ASSERT_EQ(
      run({"run", "two.onnx", "--onnxrt", "--onnx-outputs", "y", "--save-outputs", "one.json"})
          .code,
      0);
  for (const std::vector<std::string>& tolerances :
       {std::vector<std::string>{}, {"--atol", "1e-3"}}) {
    std::vector<std::string> args = {"debug",    "locate",         "two.onnx",
                                     "--onnxrt", "--load-outputs", "one.json"};
    args.insert(args.end(), tolerances.begin(), tolerances.end());
    const Outcome outcome = run(args);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("1 of 2 outputs"));
  }
}

TEST_F(LocateTolerances, HaveNoEffectOnTheNoiseFloor) {
  const std::vector<std::string> args = {"run", "m.onnx", "--onnxrt", "--onnxrt", "--noise-floor"};
  const std::string says = "--atol has no effect with --noise-floor";
  EXPECT_THAT(run(args).out, Not(HasSubstr(says)));
  std::vector<std::string> more = args;
  more.insert(more.end(), {"--atol", "1"});
  EXPECT_THAT(run(more).out, HasSubstr(says));
}

TEST_F(LocateTolerances, AnOutputRequestsARemedy) {
  const std::string says = "--output requests a remedy";
  EXPECT_THAT(locate({"-o", "mixed.onnx", "--target-precision", "float16"}).out, HasSubstr(says));
  EXPECT_THAT(locate({"-o", "mixed.onnx", "--target-precision", "float16", "--remedy"}).out,
              Not(HasSubstr(says)));
}

}  // namespace
}  // namespace polygraphy::cli
