#include "polygraphy/model_tools/lint/lint.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>

#include "base/os/child_process.h"
#include "base/os/testdata/temporary_folder.h"
#include "built_runtime.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using graphsurgeon::parse_onnx_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LintTest : public testing::Test {
 protected:
  LintResult lint_text(const std::string& text, LintOptions options = {}) {
    options.tools.paths = built_paths();
    const auto feeds = generated_feeds({}, log_.log());
    return lint("model.onnx", [&] { return parse_onnx_text(text); }, options, *feeds, log_.log());
  }

  RecordingLog log_;
};

std::vector<std::string> said(const LintResult& result) {
  std::vector<std::string> lines;
  for (const Finding& finding : result.report.findings()) {
    lines.push_back(finding.node + ": " + finding.message);
  }
  return lines;
}

// A node that keeps the model from running as a whole, behind others.
std::string with_bad(const std::string& nodes, const std::string& weights = {}) {
  return "g (float[2,3] x) => (float[A,B] y, float[C,D] bad_y) <float[4,1] w = {1, 2, 3, 4}" +
         weights + "> {" + nodes + "  [bad] bad_y = MatMul(x, w) }";
}

TEST_F(LintTest, AGoodModel) {
  const LintResult result =
      lint_text("g (float[2] x) => (float[2] y) { [a] t = Relu(x) y = Neg(t) }");
  EXPECT_TRUE(result.passed);
  EXPECT_THAT(said(result), IsEmpty());
  EXPECT_THAT(result.report.passing(), ElementsAre("a", "polygraphy_unnamed_node_1"));
}

// In the folder of the option; the checker would search the current folder.
TEST_F(LintTest, ExternalDataOfAnotherFolder) {
  const TemporaryFolder folder;
  graphsurgeon::SaveOptions saving;
  saving.external_data = "m.data";
  saving.external_data_threshold = 0;
  graphsurgeon::save_model(
      parse_onnx_text("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add(x, w) }"),
      folder / "m.onnx", saving);
  std::filesystem::create_directory(folder / "data");
  std::filesystem::rename(folder / "m.data", folder / "data/m.data");
  LintOptions options;
  options.tools.paths = built_paths();
  const auto feeds = generated_feeds({}, log_.log());
  const auto load = [&] {
    graphsurgeon::LoadOptions loading;
    loading.external_data_dir = folder / "data";
    return graphsurgeon::load_model(folder / "m.onnx", loading);
  };
  const LintResult result = lint(folder / "m.onnx", load, options, *feeds, log_.log());
  EXPECT_THAT(said(result), IsEmpty());
  EXPECT_TRUE(result.passed);
}

TEST_F(LintTest, TheVerdictCountsNodes) {
  const auto answer = [&](const std::string& text) { return headline(lint_text(text).verdict()); };
  EXPECT_EQ(answer("g (float[2] x) => (float[2] y) { t = Relu(x) y = Neg(t) }"), "2 nodes pass");
  EXPECT_EQ(answer("g (float[2] x) => (float[2] y) { y = Relu(x) }"), "1 node passes");
  EXPECT_EQ(answer(with_bad("[a] y = Relu(x)")), "1 of 2 nodes fails, first 'bad'");
  EXPECT_EQ(answer("g (float[2] x) => (float[2] x) {}"),
            "Nothing was checked: ONNX model has no nodes");
}

TEST_F(LintTest, ANodeThatIsTheModelIsNotRunAgain) {
  LintOptions options;
  options.tools.program = built_program();
  options.runner.timeout = 1;
  const LintResult result = lint_text(
      "<ir_version: 8, opset_import: [\"\": 16]> g (float[1] x) => (float[N] y) "
      "<int64 trips = {4611686018427387904}, bool go = {1}> {"
      "  [endless] y = Loop (trips, go, x) <body = b (int64 i, bool on, float[1] v) => "
      "    (bool still, float[1] w) { still = Identity (on)  w = Sin (v) }>"
      "}",
      options);
  // The words of the run of the model.
  EXPECT_THAT(said(result), ElementsAre(AllOf(HasSubstr("endless: "), HasSubstr("exceeded 1 s"))));
  EXPECT_THAT(result.report.failing(), ElementsAre("endless"));
}

TEST_F(LintTest, ANodeThatNeverEndsIsNamed) {
  LintOptions options;
  options.tools.program = built_program();
  options.runner.timeout = 1;
  const LintResult result = lint_text(
      "<ir_version: 8, opset_import: [\"\": 16]> g (float[1] x) => (float[N] y) "
      "<int64 trips = {4611686018427387904}, bool go = {1}> {"
      "  [early] z = Neg(x)"
      "  [endless] y = Loop (trips, go, z) <body = b (int64 i, bool on, float[1] v) => "
      "    (bool still, float[1] w) { still = Identity (on)  w = Sin (v) }>"
      "}",
      options);
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(said(result), ElementsAre(AllOf(HasSubstr("endless: "), HasSubstr("exceeded 1 s"))));
}

TEST_F(LintTest, ABadNodeIsNamed) {
  const LintResult result = lint_text(with_bad("[good] y = Neg(x)"));
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(said(result), ElementsAre("bad:  Incompatible dimensions for matrix multiplication"));
  EXPECT_THAT(result.report.passing(), ElementsAre("good"));
  EXPECT_THAT(result.report.failing(), ElementsAre("bad"));
}

// The onnx checker or the runtime refuses the model as a whole; its nodes run.
TEST_F(LintTest, ARefusalThatNoNodeExplainsIsAFinding) {
  const LintResult outer = lint_text(R"(g (bool c, float[2] x) => (float[2] y) {
    a = Relu(x)
    y = If (c) <then_branch = t () => (float[2] a) {},
                else_branch = e () => (float[2] b) { b = Neg(a) }> })");
  EXPECT_FALSE(outer.passed);
  EXPECT_FALSE(outer.report.valid());
}

// Messages are the same in a separate process and in this one.
TEST_F(LintTest, OfNodesApart) {
  for (const char* text :
       {"[first] t = Reshape(x, s) [second] y = Neg(t)", "[good] y = Neg(x)",
        "[wide] t = Gather(x, i) [then] y = Neg(t)",
        "[split] s0 = SplitToSequence <axis = 1> (x) [join] y = ConcatFromSequence <axis = 1> "
        "(s0)"}) {
    const std::string model = with_bad(text, ", int64[2] s = {5, 5}, int64[1] i = {7}");
    const LintResult here = lint_text(model),
                     apart = lint_text(model, {.tools = {.program = built_program()}});
    EXPECT_THAT(said(here), testing::Not(IsEmpty()));
    EXPECT_EQ(said(apart), said(here));
    EXPECT_EQ(apart.report.passing(), here.report.passing());
    EXPECT_EQ(apart.report.failing(), here.report.failing());
  }
}

TEST_F(LintTest, NodesBehindABadOneAreLeftOut) {
  const LintResult result =
      lint_text(with_bad("[first] t = Reshape(x, s) [second] y = Neg(t)", ", int64[2] s = {5, 5}"));
  EXPECT_THAT(result.report.failing(), ElementsAre("first", "bad"));
  EXPECT_THAT(result.report.passing(), IsEmpty());
}

TEST_F(LintTest, BodiesKnowTheOuterGraph) {
  const LintResult result = lint_text(with_bad(R"(
    [outer] t = Relu(x)
    [if] y = If (c) <
      then_branch = yes () => (p) { p = Add(t, v) },
      else_branch = no () => (q) { q = Mul(t, v) }
    >
  )",
                                               ", bool c = {1}, float[3] v = {1, 2, 3}"));
  EXPECT_THAT(result.report.passing(), ElementsAre("outer", "if"));
  EXPECT_THAT(result.report.failing(), ElementsAre("bad"));
}

TEST_F(LintTest, InputsMayBeLeftOut) {
  const LintResult result = lint_text(with_bad("[clip] y = Clip(x, , m)", ", float m = {1}"));
  EXPECT_THAT(result.report.passing(), ElementsAre("clip"));
}

TEST_F(LintTest, SequencesFlowFromNodeToNode) {
  const LintResult result = lint_text(with_bad(
      "[split] s = SplitToSequence <axis = 1> (x) [join] y = ConcatFromSequence <axis = 1> (s)"));
  EXPECT_THAT(result.report.passing(), ElementsAre("split", "join"));
}

TEST_F(LintTest, OldAndNewIrVersions) {
  EXPECT_TRUE(lint_text(R"(<ir_version: 3, opset_import: ["": 8]>
                        g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> {
                          y = Add(x, w)
                        })")
                  .passed);
  EXPECT_TRUE(lint_text(R"(<ir_version: 14, opset_import: ["": 18]>
                        g (float[2] x) => (float[2] y) { y = Neg(x) })")
                  .passed);
}

TEST_F(LintTest, NodesOfUnknownVersionsNeitherPassNorFail) {
  for (const char* versions : {R"(<ir_version: 8, opset_import: ["": 99]>)",
                               R"(<ir_version: 99, opset_import: ["": 17]>)"}) {
    const LintResult result =
        lint_text(std::string(versions) + " g (float[2] x) => (float[2] y) { [a] y = Neg(x) }");
    EXPECT_FALSE(result.passed);
    EXPECT_THAT(said(result), ElementsAre(HasSubstr("99")));
    EXPECT_THAT(result.report.passing(), IsEmpty());
    EXPECT_THAT(headline(result.verdict()), testing::StartsWith("Could not be checked: "));
  }
}

TEST_F(LintTest, WithoutRunning) {
  const LintResult result = lint_text(with_bad("[good] y = Neg(x)"), {.skip = {"runs"}});
  EXPECT_TRUE(result.passed);
  EXPECT_THAT(said(result), IsEmpty());
}

TEST_F(LintTest, CustomOperatorsAreWarnings) {
  const LintResult result = lint_text(R"(<ir_version: 8, opset_import: ["": 17, "mine": 1]>
    g (float[2] x) => (float[2] y) { [foo] y = mine.Foo(x) })");
  EXPECT_TRUE(result.passed);
  EXPECT_THAT(said(result), ElementsAre(HasSubstr("foo: Fatal error: mine:Foo(-1)")));
}

class LintCrashTest : public LintTest {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "needs an integer division that traps";
#endif
  }
  // The output of `check lint`, which must end with 1.
  std::string lint_of(const std::string& text, const std::vector<std::string>& options = {}) {
    const std::string path = folder_.path() + "/model.onnx";
    graphsurgeon::save_model(parse_onnx_text(text), path);
    std::vector<std::string> words{built_program(), "check", "lint", path};
    words.insert(words.end(), options.begin(), options.end());
    ChildProcess lint(
        {.argv = words, .out = ChildStream::capture(), .err = ChildStream::capture()});
    EXPECT_EQ(lint.wait(60)->code, 1);
    return lint.out().text + lint.err().text;
  }

  TemporaryFolder folder_;
};

// The lowest int32 has no positive counterpart: dividing it by -1 raises SIGFPE.
TEST_F(LintCrashTest, TheNodeIsNamed) {
  // With its shape given it is no longer the model of the file.
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{}, {"--input-shapes", "x:[1]"}}) {
    EXPECT_THAT(lint_of(R"(<ir_version: 8, opset_import: ["": 17]>
      g (int32[N] x) => (int32[N] y, int32[N] z) <int32[1] lowest = {-2147483648}, int32[1] one = {1}> {
        zero = Sub(x, x) low = Add(zero, lowest) minus = Sub(zero, one) [bad] y = Div(low, minus)
        z = Neg(low) })",
                        options),
                testing::AllOf(
                    testing::Not(HasSubstr("LINT | onnxrt was killed by SIGFPE")),
                    HasSubstr("[E] LINT | Name: bad, Op: Div | onnxrt was killed by SIGFPE"),
                    testing::Not(HasSubstr("Op: Neg")), testing::Not(HasSubstr("--check-crash"))));
  }
}

// The runtime refuses the model as a whole, so its nodes are run: none of them in this process.
TEST_F(LintCrashTest, OfANodeBesideOneThatIsRefused) {
  EXPECT_THAT(lint_of(R"(<ir_version: 8, opset_import: ["": 17]>
    g (int32[1] x, float[2,3] f) => (int32[1] y, float[C,D] g)
      <int32[1] lowest = {-2147483648}, int32[1] one = {1}, float[4,1] w = {1, 2, 3, 4}> {
      [refused] g = MatMul(f, w)
      zero = Sub(x, x) low = Add(zero, lowest) minus = Sub(zero, one) [bad] y = Div(low, minus) })"),
              testing::AllOf(HasSubstr("Name: refused, Op: MatMul |  Incompatible dimensions"),
                             HasSubstr("Name: bad, Op: Div | onnxrt was killed by SIGFPE")));
}

// An empty sequence cannot be fed, so the nodes behind it are not run one by one.
TEST_F(LintCrashTest, WithoutANodeThatCrashesByItselfThereIsAdvice) {
  EXPECT_THAT(lint_of(R"(<ir_version: 8, opset_import: ["": 17]>
    g (int64 x) => (int64 y) <int64 lowest = {-9223372036854775808}, int64 one = {1}> {
      s = SequenceEmpty<dtype = 1>() zero = SequenceLength(s)
      low = Add(zero, lowest) minus = Sub(zero, one) y = Div(low, minus) })"),
              testing::AllOf(HasSubstr("[E] LINT | onnxrt was killed by SIGFPE"),
                             HasSubstr("--check-crash onnxrt`")));
}

}  // namespace
}  // namespace polygraphy
