// Outputs that are not finite, of another shape or missing, and engines that are killed, are never
// a pass: in no command, and however it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

void write_model(const TemporaryFolder& folder, const char* text, const std::string& name) {
  folder.write(name, graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(text)));
}

// y = 2 x + 1, and the index of its largest number.
constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[2,3] x) => (float[2,3] y) <float two = {2}, float one = {1}>
  { [double] d = Mul(x, two)  [add] y = Add(d, one) })";

// A program that is an engine: it computes y, and damages it.
struct Damage {
  const char* name;
  const char* python;     // changes `y`, the rows of the output
  const char* agreement;  // by the noise floor
};
constexpr Damage kDamages[] = {
    {"none", "pass", "agrees"},
    {"infinite", "y = [[math.inf] * 3] * 2", "differs"},
    {"nan", "y = [[math.nan] * 3] * 2", "differs"},
    {"one_nan", "y[1][2] = math.nan", "differs"},
    {"one_minus_infinity", "y[0][0] = -math.inf", "differs"},
    {"other_shape", "y = y[:1]", "differs"},
    {"missing", "y = None", "failed"},
    {"killed", "os.kill(os.getpid(), signal.SIGKILL)", "failed"},
};

std::string program(const Damage& damage) {
  return std::string(
             "import json, math, os, signal, sys\n"
             "x = json.load(sys.stdin)['x']\n"
             "y = [[2 * v + 1 for v in row] for row in x]\n") +
         damage.python + "\nprint(json.dumps({} if y is None else {'y': y}))\n";
}

// A way to compare the program with ONNX Runtime.
struct Way {
  const char* name;
  std::vector<std::string> args;
  int failure;  // the exit code where a side has no results
};
const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {"run", {"run", "m.onnx"}, 1},
      {"noise_floor", {"run", "m.onnx", "--noise-floor"}, 1},
      {"isolated", {"run", "m.onnx", "--noise-floor", "--isolate"}, 1},
      {"tasks", {"run", "m.onnx", "--noise-floor", "--on", "local:2"}, 1},
      {"in_parts", {"run", "m.onnx", "--mem-limit", "1G"}, 1},
      {"locate", {"debug", "locate", "m.onnx"}, 3},
      {"locate_tasks", {"debug", "locate", "m.onnx", "--on", "local:2"}, 3},
  };
  return all;
}

using Case = std::tuple<const Damage*, const Way*>;

class BadOutputs : public testing::TestWithParam<Case> {
 protected:
  BadOutputs() { write_model(folder_, kModel, "m.onnx"); }

  TemporaryFolder folder_;
};

TEST_P(BadOutputs, NeverPass) {
  const auto& [damage, way] = GetParam();
  folder_.write("engine.py", program(*damage));
  std::vector<std::string> args = way->args;
  args.insert(args.end(), {"--onnxrt", "--model-runner", "engine.py"});
  const Outcome outcome = run_in_process(args, {.root = folder_.path(), .columns = 200});
  const std::string log = outcome.out + outcome.err;
  const std::string agreement = damage->agreement;
  const int code = agreement == "agrees" ? 0 : agreement == "failed" ? way->failure : 1;
  EXPECT_EQ(outcome.code, code) << log;
  if (code != 0) return;
  EXPECT_THAT(log, Not(HasSubstr("FAILED")));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Damage& damage : kDamages) {
    for (const Way& way : ways()) all.emplace_back(&damage, &way);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Verdicts, BadOutputs, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& one) {
                           return std::string(std::get<0>(one.param)->name) + "_" +
                                  std::get<1>(one.param)->name;
                         });

// An engine that agrees with itself on nothing but infinities.
TEST(ConsistencyOfBadOutputs, IsNotAPass) {
  const TemporaryFolder folder;
  write_model(folder, kModel, "m.onnx");
  for (const Damage& damage : {kDamages[1], kDamages[2]}) {
    folder.write("engine.py", program(damage));
    const Outcome outcome = run_in_process(
        {"check", "consistency", "m.onnx", "--model-runner", "engine.py", "--only-check", "repeat"},
        {.root = folder.path(), .columns = 200});
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  }
}

// Layers whose outputs have no finite number have no error that could be within a limit.
TEST(SensitivityOfBadOutputs, IsNotAPass) {
  const TemporaryFolder folder;
  for (const char* last : {"y = Mul(p, infinite)", "n = Abs(p) m = Sub(n, large) y = Log(m)"}) {
    write_model(folder,
                (std::string(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[4,2] x) => (float[4,2] y)
        <float[2,2] w = {1, 2, 3, 4}, float infinite = {inf}, float large = {1e6}>
        { [layer] p = MatMul(x, w) )") +
                 last + " }")
                    .c_str(),
                "m.onnx");
    for (const char* format : {"int8", "fp16"}) {
      const Outcome outcome =
          run_in_process({"debug", "sensitivity", "m.onnx", "--format", format, "--limit", "1"},
                         {.root = folder.path(), .columns = 200});
      EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
    }
  }
}

// Engines that overflow, or get NaN, as the noise of their format does.
class NotFinite : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> args, const std::vector<std::string>& engines) const {
    args.insert(args.end(), engines.begin(), engines.end());
    return run_in_process(args, {.root = folder_.path(), .columns = 200});
  }
  // Each command says so, and returns 1.
  void expect(const std::vector<std::vector<std::string>>& commands,
              const std::vector<std::string>& engines, const std::string& words) const {
    for (const std::vector<std::string>& command : commands) {
      const Outcome outcome = run(command, engines);
      EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
      EXPECT_THAT(outcome.out + outcome.err, HasSubstr(words)) << command[0];
    }
  }

  TemporaryFolder folder_;
};

// A program that computes in float16: engines of this machine may not have it.
TEST_F(NotFinite, AnOverflowOfTheFormatIsAPrecisionTooLow) {
  write_model(folder_, R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4,8] x) => (float[4,8] y) <float one = {1}, float k = {1e6}>
    { a = Abs(x)  b = Add(a, one)  y = Mul(b, k) })",
              "m.onnx");
  folder_.write("half.py",
                "import json, sys\nprint('{\"y\": ' + str([[float('inf')] * 8] * 4)"
                ".replace('inf', 'Infinity') + '}')\n");
  expect({{"run", "m.onnx", "--noise-floor", "float16"},
          {"run", "m.onnx", "--noise-floor", "float16", "--on", "local:2"},
          {"debug", "locate", "m.onnx", "--target-precision", "float16"}},
         {"--onnxrt", "--model-runner", "half.py"},
         "The precision is too low: 32 of 32 elements of 'y' are NaN or infinite on one side only, "
         "the first at 0: its computation leaves the range of float16");
}

TEST_F(NotFinite, NaNOnBothSidesIsNotAPass) {
  write_model(folder_, R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4,8] x) => (float[4,8] y) <float minus = {-1}>
    { a = Abs(x)  b = Mul(a, minus)  y = Log(b) })",
              "m.onnx");
  for (const char* other : {"--openvino", "--onnxrt"}) {
    expect({{"run", "m.onnx", "--noise-floor"},
            {"run", "m.onnx", "--noise-floor", "--on", "local:2"},
            {"debug", "locate", "m.onnx"}},
           {"--onnxrt", other}, "every element of 'y' is NaN or infinite on both sides");
  }
  const Outcome outcome = run({"check", "consistency", "m.onnx"}, {"--onnxrt"});
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("the outputs have no finite number"));
}

TEST_F(NotFinite, InfinitiesBesideNumbersAreCompared) {
  write_model(folder_, R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4,8] x) => (float[4,8] y) <float[1,8] mask = {0, 0, 0, 0, 0, 0, 0, -inf}>
    { y = Add(x, mask) })",
              "m.onnx");
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"run", "m.onnx", "--noise-floor"}, {"debug", "locate", "m.onnx"}}) {
    const Outcome outcome = run(args, {"--onnxrt", "--openvino"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  }
}

// Rounding errors of float32 change the last digits of nearly all of these texts, and so their
// noise is as large as they are.
TEST(BadOutputs, TextsOfWhichAllDiffer) {
  const TemporaryFolder folder;
  for (const char* factor : {"10", "15"}) {
    const std::string text = std::string(R"(<ir_version: 9, opset_import: ["": 19]>
      g (float[6] x) => (string[6] y) <float k = {)") +
                             factor + "}> { a = Mul(x, k) y = Cast<to = 8>(a) }";
    write_model(folder, text.c_str(), std::string(factor) + ".onnx");
  }
  const auto run = [&](std::vector<std::string> args) {
    return run_in_process(args, {.root = folder.path(), .columns = 200});
  };
  ASSERT_EQ(run({"run", "10.onnx", "--onnxrt", "--save-outputs", "of_10.json"}).code, 0);
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {"run", "15.onnx", "--onnxrt", "--load-outputs", "of_10.json", "--noise-floor"},
           {"debug", "locate", "15.onnx", "--onnxrt", "--load-outputs", "of_10.json"}}) {
    const Outcome outcome = run(way);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("the noise at 'y' is ")) << way.front();
  }
}

}  // namespace
}  // namespace polygraphy::cli
