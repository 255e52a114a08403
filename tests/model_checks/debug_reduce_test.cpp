// `debug reduce` with the checks that need no command: planted faults, and errors of options.
#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

#include "../cli/in_process.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class DebugReduce : public testing::Test {
 protected:
  // A chain with `op` in its middle.
  void write_chain(const std::string& op) {
    write("g (float[4] x) => (float[4] y) <float[1] two = {2}> { a = Mul(x, two) b = Sin(a) c = " +
          op + "(b) d = Add(a, c) e = Relu(d) y = Identity(e) }");
  }
  void write(const std::string& text) {
    graphsurgeon::save_model(
        graphsurgeon::parse_onnx_text("<ir_version: 8, opset_import: [\"\" : 17, \"local\" : 1]> " +
                                      text),
        folder_.path() + "/m.onnx");
  }
  Outcome reduce(std::vector<std::string> options) {
    std::vector<std::string> args = {"debug", "reduce", "m.onnx", "-o", "red.onnx"};
    args.insert(args.end(), options.begin(), options.end());
    // The file beside the model: the replay.
    const auto here = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
    Outcome outcome = run_in_process(args, {.variables = {"POLYGRAPHY_BACKEND_DIR=" PG_PLUGINS}});
    std::filesystem::current_path(here);
    return outcome;
  }
  // The operators of the reduced model.
  std::string left() const {
    const graphsurgeon::Model model = graphsurgeon::load_model(folder_.path() + "/red.onnx");
    std::string ops;
    for (const auto& node : model.graph->nodes()) {
      ops += (ops.empty() ? "" : " ") + std::string(node->op());
    }
    return ops;
  }

  const TemporaryFolder folder_;
};

// The other branch has no such shapes: a model with them in its inputs would not load.
TEST_F(DebugReduce, InputShapesThatABranchRefuses) {
  write(R"(g (float[N,M] x) => (float[N,M] y, z) <int64 zero = {0}, int64[1] axes = {0}> {
    y = Softsign(x) s = Size(x) c = Greater(s, zero)
    z = If(c) <then_branch = t () => (a) { a = Identity(x) },
               else_branch = e () => (b) { b = Squeeze(x, axes) }> })");
  const Outcome outcome = reduce({"--check-run", "onnxrt", "openvino", "--atol", "1e-3", "--mode",
                                  "auto", "--model-input-shapes", "x:[2,2]"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err + outcome.out, HasSubstr("only the input data have them"));
  EXPECT_EQ(left(), "Softsign");
}

TEST_F(DebugReduce, AMismatchBetweenRuntimes) {
  write_chain("Softsign");
  for (const char* mode : {"bisect", "auto"}) {
    const Outcome outcome =
        reduce({"--check-run", "onnxrt", "openvino", "--atol", "1e-3", "--mode", mode});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), "Softsign");
  }
}

TEST_F(DebugReduce, ACrashByASignal) {
  write_chain("Softplus");
  const Outcome outcome = reduce({"--check-crash", "openvino", "--mode", "auto"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "Softplus");
  EXPECT_THAT(outcome.out, HasSubstr("openvino was killed by SIGSEGV"));
}

// Shapes and values behind the crash are known only from a run.
TEST_F(DebugReduce, ACrashOfTheRuntimeThatRecordsValues) {
#ifndef __x86_64__
  GTEST_SKIP() << "needs an integer division that traps";
#endif
  // The lowest int64 has no positive counterpart: dividing it by -1 raises SIGFPE.
  write(
      "g (float[4] x) => (float[N] y) <int64[1] lowest = {-9223372036854775808}, int64[1] one = "
      "{1}, int64[1] four = {4}> { i = Cast<to = 7>(x) zero = Sub(i, i) low = Add(zero, lowest) "
      "minus = "
      "Sub(zero, one) rest = Div(low, minus) none = Mul(rest, zero) sum "
      "= ReduceSum<keepdims = 1>(none) shape = Add(sum, four) r = Reshape(x, shape) e = Exp(r) y = "
      "Neg(e) }");
  for (const char* mode : {"bisect", "linear", "auto"}) {
    const Outcome outcome = reduce({"--mode", mode, "--check-crash", "onnxrt"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), "Div") << mode;
  }
}

TEST_F(DebugReduce, AHang) {
  write_chain("Selu");
  const Outcome outcome = reduce({"--check-crash", "openvino", "--check-timeout", "0.7"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "Selu");
}

TEST_F(DebugReduce, AHangIsReproducedWithItsTimeLimit) {
  write_chain("Selu");
  const Outcome outcome = reduce({"--mode", "auto", "--reproduction", "hang", "--check-crash",
                                  "openvino", "--check-timeout", "0.7"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "Selu");
  EXPECT_THAT(folder_.read("hang/check.sh"),
              HasSubstr(" --check-crash openvino --check-timeout 0.7 2>&1"));
}

TEST_F(DebugReduce, CandidatesLieInTheWorkFolder) {
  write_chain("NoSuchOperator");
  const Outcome outcome = reduce({"--work-dir", "there", "--check-crash", "onnxrt"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("there/.polygraphy-model."));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() + "/there"));
}

TEST_F(DebugReduce, ChecksSideBySideFindTheSame) {
  write_chain("Softsign");
  for (const char* mode : {"bisect", "auto"}) {
    const Outcome outcome =
        reduce({"--check-run", "onnxrt", "openvino", "--mode", mode, "-j", "3"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), "Softsign");
  }
}

// Shapes behind NonZero are known only from a run, which the log reports at VERBOSE.
TEST_F(DebugReduce, TheLogIsThatOfOneCheckAtATime) {
  write(
      "g (float[4] x) => (int64[n, m] y) { a = NonZero(x) b = Neg(a) c = Abs(b) d = Neg(c) e = "
      "Sign(d) f = Neg(e) h = Abs(f) y = Identity(h) }");
  const auto log = [&](const std::string& jobs, const std::string& verbosity) {
    const Outcome outcome =
        reduce({"--mode", "auto", "-j", jobs, verbosity, "--no-remove-intermediate",
                "--reproduction", "", "--check", "! grep -q Sign {model}"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), "Sign");
    std::filesystem::remove(folder_.path() + "/polygraphy_debug.onnx");
    std::string text;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("Command:") != std::string::npos) continue;
      if (line.find(" checks and ") != std::string::npos) continue;
      text += line.substr(0, line.find("Duration")) + "\n";
    }
    return text;
  };
  const std::string alone = log("1", "-v");
  EXPECT_THAT(alone, HasSubstr("Inference Session"));
  EXPECT_EQ(log("2", "-v"), alone);
  const std::string brief = log("1", "--log-file=log");
  EXPECT_EQ(log("2", "--log-file=log"), brief);
}

TEST_F(DebugReduce, ANanThatOnlyTheSecondSampleBringsAbout) {
  write(
      "g (float[4] x) => (float[4] y) <float[1] two = {2}> { a = Mul(x, two) b = Identity(a) c = "
      "Log(b) d = Add(a, c) y = Relu(d) }");
  folder_.write("samples.json", R"([{"x": [1, 1, 1, 1]}, {"x": [-1, -1, -1, -1]}])");
  for (const char* mode : {"bisect", "auto"}) {
    const Outcome outcome =
        reduce({"--check-nan", "--load-inputs", "samples.json", "--mode", mode});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), "Log");
    EXPECT_THAT(outcome.out, HasSubstr("(sample 1)"));
  }
}

// Weights of bodies are in separate files, which the runtimes read.
TEST_F(DebugReduce, AMismatchInOneOfThreeLoopsWithWeights) {
  std::string nodes, last = "x";
  for (const std::string k : {"1", "2", "3"}) {
    nodes += " l" + k + " = Loop(times, , " + last + ") <body = b" + k + " (int64 i" + k +
             ", bool c" + k + ", float[2, 96] s" + k + ") => (bool d" + k + ", float[2, 96] o" + k +
             ") <float w" + k + " = {0}> { d" + k + " = Identity(c" + k + ") p" + k +
             " = MatMul(s" + k + ", w" + k + ") q" + k + " = Relu(p" + k + ") r" + k + " = " +
             (k == "2" ? "Softsign" : "Tanh") + "(q" + k + ") o" + k + " = Abs(r" + k + ") }> ";
    last = "l" + k;
  }
  graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[2, 96] x) => (float[2, 96] y) <int64 "
      "times = {2}> {" +
      nodes + " y = Relu(" + last + ") }");
  for (const auto& node : model.graph->nodes()) {
    for (const auto& body : node->subgraphs()) {
      for (const auto& weight : body->initializers()) {
        weight->to_constant(Array::of<float>({96, 96}, std::vector<float>(96 * 96, 0.25f)));
      }
    }
  }
  graphsurgeon::save_model(model, folder_.path() + "/m.onnx");
  for (const char* jobs : {"1", "2"}) {
    const Outcome outcome = reduce(
        {"--mode", "auto", "-j", jobs, "--check-run", "onnxrt", "openvino", "--atol", "1e-3"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), "Softsign");
    EXPECT_THAT(outcome.out, Not(HasSubstr("hard link")));
  }
}

// The runtime names the If around the node at fault, and does not where the node stands alone.
TEST_F(DebugReduce, ACrashInsideAnIfIsTheSameOutside) {
  const auto with = [](const std::string& node) {
    return "g (float[2, 3] x, bool c) => (float[A, B] y) <float[5, 1] five = {1, 2, 3, 4, 5}, "
           "int64[2] seven = {7, 7}> { a = Relu(x) yes = Or(c, c) no = Not(yes) all = Or(yes, no) "
           "shape = Shape(a) more = Add(shape, seven) z = If(all) <then_branch = t () => (float[P, "
           "Q] o) { p = Sin(a) q = " +
           node +
           " r = Exp(q) o = Tanh(r) }, else_branch = e () => (float[R, S] u) { v = Cos(a) u = "
           "Exp(v) }> y = Relu(z) }";
  };
  const std::pair<std::string, std::string> faults[] = {{"MatMul(p, five)", "MatMul"},
                                                        {"Reshape(p, more)", "Reshape"},
                                                        {"NoSuchOperator(p)", "NoSuchOperator"},
                                                        {"Add(p, seven)", "Add"}};
  for (const auto& [node, op] : faults) {
    write(with(node));
    const Outcome outcome = reduce({"--mode", "auto", "--check-crash", "onnxrt"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), op);
  }
}

TEST_F(DebugReduce, ANanThatTheModelHides) {
  write(
      "g (float[4] x) => (float[4] y) <float[1] far = {-100}> { a = Add(x, far) b = Identity(a) c "
      "= Log(b) d = IsNaN(c) e = Where(d, b, c) y = Relu(e) }");
  for (const char* jobs : {"1", "2"}) {
    const Outcome outcome = reduce({"--check-nan", "--mode", "auto", "-j", jobs});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), "Log");
    EXPECT_THAT(outcome.out, HasSubstr("Checking it with all its tensors as outputs"));
    EXPECT_THAT(outcome.out, HasSubstr("Starting at ['c']"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("Searching the whole model")));
  }
  EXPECT_EQ(reduce({"--check-nan"}).code, 1);
}

TEST_F(DebugReduce, AStartIsFoundAgainInAJournal) {
  write(
      "g (float[4] x) => (float[4] y) <float[1] far = {-100}> { a = Add(x, far) b = Identity(a) c "
      "= Log(b) d = IsNaN(c) e = Where(d, b, c) y = Relu(e) }");
  const std::vector<std::string> options = {"--check-nan", "--mode", "auto", "--journal", "j"};
  EXPECT_EQ(reduce(options).code, 0);
  std::vector<std::string> again = options;
  again.emplace_back("--resume");
  const Outcome outcome = reduce(again);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Starting at ['c']"));
  EXPECT_THAT(outcome.out, HasSubstr(" in 0 checks"));
}

// In the third iteration, in the branch that is taken, in a function.
TEST_F(DebugReduce, ANanThatABodyHides) {
  const std::string hidden = " p = Sub(v, two) q = Sqrt(p) r = IsNaN(q) w = Where(r, v, q)";
  const std::string models[] = {
      "g (float[4] x) => (float[4] y) <float[1] two = {2}, int64 n = {5}, bool yes = {1}> { a = "
      "Relu(x) b = Loop(n, yes, a) <body = l (int64 i, bool go, float[4] v) => (bool go_on, "
      "float[4] w) { go_on = Identity(go)" +
          hidden + " }> y = Relu(b) }",
      // Of shapes that nothing says.
      "g (float[N] x) => (float[M] y) <float[1] two = {2}, int64 n = {5}, bool yes = {1}> { a = "
      "Relu(x) "
      "b = Loop(n, yes, a) <body = l (int64 i, bool go, float[P] v) => (bool go_on, float[Q] w) { "
      "go_on = Identity(go)" +
          hidden + " }> y = Relu(b) }",
      "g (float[4] x) => (float[4] y) <float[1] two = {2}, bool yes = {1}> { v = Relu(x) b = "
      "If(yes) <then_branch = t () => (float[4] w) {" +
          hidden + " }, else_branch = e () => (float[4] u) { u = Neg(v) }> y = Relu(b) }",
      "g (float[4] x) => (float[4] y) { a = Relu(x) b = local.f(a) y = Relu(b) } <domain: "
      "\"local\", opset_import: [\"\": 17]> f (v) => (w) { two = Constant <value = float {2}> ()" +
          hidden + " }"};
  for (const std::string& model : models) {
    write(model);
    const Outcome outcome = reduce({"--check-nan", "--mode", "auto"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(left(), "Sqrt");
    EXPECT_THAT(outcome.out, HasSubstr("with the tensors inside If, Loop, Scan and functions"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("Searching the whole model")));
  }
}

// Rounded off behind it.
TEST_F(DebugReduce, ADifferenceThatTheModelHides) {
  write(
      "g (float[4] x) => (float[4] y) <float[1] tiny = {0.01}> { a = Relu(x) b = Sin(a) c = "
      "Softsign(b) d = Abs(c) e = Mul(d, tiny) f = Floor(e) y = Relu(f) }");
  const Outcome outcome = reduce({"--check-run", "onnxrt", "openvino", "--mode", "auto", "--atol",
                                  "y:3", "e:3", "f:3", "1e-3"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "Softsign");
  EXPECT_THAT(outcome.out, HasSubstr("Starting at ["));
}

TEST_F(DebugReduce, StartsAtANode) {
  write_chain("Softsign");
  const Outcome outcome = reduce({"--check-run", "onnxrt", "openvino", "--mode", "auto",
                                  "--start-at", "d", "--start-at", "c"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "Softsign");
  EXPECT_THAT(outcome.out, HasSubstr("Starting at ['d', 'c']"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("Keeping 3 of 6")));
}

TEST_F(DebugReduce, ANodeToStartAtThatIsNotThere) {
  write_chain("Softsign");
  const Outcome outcome = reduce({"--check-nan", "--mode", "auto", "--start-at", "C"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("The model has no node 'C', and no node produces a tensor of that name"));
  EXPECT_THAT(outcome.err, HasSubstr("Did you mean 'c'?"));
}

TEST_F(DebugReduce, AStartNeedsTheModeThatCanUseIt) {
  write_chain("Softsign");
  for (const char* mode : {"bisect", "linear"}) {
    const Outcome outcome = reduce({"--check-nan", "--mode", mode, "--start-at", "c"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("--start-at has no effect without --mode auto"));
    EXPECT_THAT(outcome.err, HasSubstr("Add --mode auto."));
  }
}

// Its input is what the whole model feeds it: with numbers from [0, 1) nothing would fail.
TEST_F(DebugReduce, CandidatesAreFedWhatTheyGetInTheWholeModel) {
  write(
      "g (float[4] x) => (float[4] y) <float[1] far = {-100}> { a = Add(x, far) b = Neg(a) c = "
      "Exp(b) y = Relu(c) }");
  const Outcome outcome = reduce({"--check-nan", "--mode", "auto"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "Exp");
}

TEST_F(DebugReduce, AnErrorOfLint) {
  write_chain("NoSuchOperator");
  const Outcome outcome = reduce({"--check-lint", "--mode", "auto"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "NoSuchOperator");
}

TEST_F(DebugReduce, CandidatesAreNotWrittenUnlessTheyAreAskedFor) {
  write_chain("Softplus");
  reduce({"--check-crash", "openvino"});
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/polygraphy_debug.onnx"));
  const Outcome outcome =
      reduce({"--artifacts", "polygraphy_debug.onnx", "--check-crash", "openvino"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "Softplus");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/polygraphy_artifacts/bad"));
}

TEST_F(DebugReduce, AModelThatPassesIsAnError) {
  write_chain("Cos");
  const Outcome outcome = reduce({"--check-nan"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("The check passes on the model itself"));
}

TEST_F(DebugReduce, BackEndsTakeTheirOptions) {
  write_chain("Softsign");
  const Outcome outcome =
      reduce({"--mode", "auto", "--reproduction", "the repro", "--check-run", "onnxrt", "openvino",
              "--providers", "cpu", "--graph-optimization-level", "ORT_DISABLE_ALL"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(left(), "Softsign");
  EXPECT_THAT(folder_.read("the repro/check.sh"),
              HasSubstr(" --check-run onnxrt openvino --providers cpu --graph-optimization-level "
                        "ORT_DISABLE_ALL 2>&1"));
  EXPECT_THAT(folder_.read("the repro/README.md"), HasSubstr("    sh 'the repro/check.sh'\n"));
  EXPECT_THAT(folder_.read("the repro/README.md"),
              HasSubstr("polygraphy run model.onnx --onnxrt --openvino --providers cpu "
                        "--graph-optimization-level ORT_DISABLE_ALL --load-inputs inputs.json"));
  // They arrive there.
  EXPECT_THAT(reduce({"--check-crash", "onnxrt", "--providers", "moon"}).err,
              HasSubstr("Requested provider was: moon"));
  EXPECT_THAT(reduce({"--check-crash", "onnxrt", "--onnxrt-lib", "no/such/library.so"}).err,
              HasSubstr("no/such/library.so"));
}

TEST_F(DebugReduce, OptionsOfBackEndsThatNothingUsesAreRefused) {
  write_chain("Cos");
  EXPECT_THAT(reduce({"--check-crash", "--openvino-precision", "bf16"}).err,
              HasSubstr("--openvino-precision is for the back end openvino, but --check-crash "));
  EXPECT_THAT(reduce({"--providers", "cpu", "--check", "true"}).err,
              HasSubstr("--providers is for checks without a command"));
  EXPECT_THAT(reduce({"--check-crash", "--onnxrt-lib", "a.so", "--onnxrt-lib", "b.so"}).err,
              HasSubstr("--onnxrt-lib appears 2 times"));
}

// A verdict under other options is not a verdict of this check.
TEST_F(DebugReduce, AJournalBelongsToTheOptionsOfBackEnds) {
  write_chain("NoSuchOperator");
  EXPECT_EQ(reduce({"--journal", "j", "--check-crash", "onnxrt", "--providers", "cpu"}).code, 0);
  EXPECT_EQ(
      reduce({"--journal", "j", "--resume", "--check-crash", "onnxrt", "--providers", "cpu"}).code,
      0);
  EXPECT_NE(reduce({"--journal", "j", "--resume", "--check-crash", "onnxrt"}).code, 0);
}

TEST_F(DebugReduce, OptionsThatDoNotGoTogether) {
  write_chain("Cos");
  const auto refused = [&](std::vector<std::string> options) {
    const Outcome outcome = reduce(std::move(options));
    EXPECT_NE(outcome.code, 0);
    return outcome.err;
  };
  EXPECT_THAT(refused({"--check-nan", "--check-lint"}), HasSubstr("not allowed with"));
  EXPECT_THAT(refused({"--check-nan", "--check", "true"}), HasSubstr("not allowed with"));
  EXPECT_THAT(refused({"--check-run", "onnxrt"}),
              HasSubstr("--check-run takes 2 back ends or more"));
  EXPECT_THAT(refused({"--check-nan", "--fail-code", "2"}), HasSubstr("--fail-code"));
  EXPECT_THAT(refused({"--check-nan", "--launcher", "srun -n1"}), HasSubstr("--launcher"));
  EXPECT_THAT(refused({"--check-nan", "--atol", "2"}),
              HasSubstr("compares outputs, but --check-nan compares none"));
  EXPECT_THAT(refused({"--check-run", "onnxrt", "openvino", "--rtol", "low"}),
              HasSubstr("'low' is not a number"));
}

}  // namespace
}  // namespace polygraphy::cli
