#include "polygraphy/model_tools/surgeon/verification/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/progress.h"
#include "built_runtime.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::parse_onnx_text;
using graphsurgeon::Tensor;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// One made-up rule: may turn the output of a node with constant inputs into this.
struct TestRule {
  std::string name, op;
  std::function<Array(const Array&, const Array&)> compute;
};

Array elementwise(const Array& a, const Array& b, float (*f)(float, float)) {
  const Array x = a.contiguous_aligned(alignof(float)), y = b.contiguous_aligned(alignof(float));
  Array result = a.clone();
  auto* out = reinterpret_cast<float*>(result.mutable_data());
  for (size_t i = 0; i < static_cast<size_t>(a.size()); ++i) {
    out[i] = f(x.as<float>()[i], y.as<float>()[i]);
  }
  return result;
}

Array sum(const Array& a, const Array& b) {
  return elementwise(a, b, [](float x, float y) { return x + y; });
}

const TestRule kAdd{"fold-add", "Add", sum};
const TestRule kWrong{"deliberately-wrong", "Mul", sum};
const TestRule kDoubles{"wrong-type", "Sub", [](const Array& a, const Array&) {
                          return Array::zeros(DataType::kFloat64, a.shape());
                        }};

// Folds with those rules, in the order of the nodes, as sanitize would.
Transformed fold(Model model, const std::vector<TestRule>& rules, const RewriteLimits& limits) {
  Transformed result{std::move(model), {}};
  for (const NodeRef& node : result.model.graph->nodes()) {
    for (const TestRule& rule : rules) {
      const auto& skipped = limits.skip_rules;
      const auto& left = limits.kept_tensors;
      if (node->op() != rule.op || node->inputs().size() != 2 ||
          std::find(left.begin(), left.end(), node->outputs()[0]->name()) != left.end() ||
          std::find(skipped.begin(), skipped.end(), rule.name) != skipped.end() ||
          static_cast<int64_t>(result.rewrites.size()) == limits.max_rewrites) {
        continue;
      }
      Tensor* a = node->inputs()[0];
      Tensor* b = node->inputs()[1];
      if (!a->is_constant() || !b->is_constant()) continue;
      Tensor* output = node->outputs()[0];
      result.rewrites.push_back({rule.name, node->op(), node->name(), {output->name()}});
      const Array values = rule.compute(a->payload()->load("a"), b->payload()->load("b"));
      const graphsurgeon::TensorRef kept(output);
      node->outputs().clear();
      kept->to_constant(graphsurgeon::owned_payload(values));
      result.model.graph->mutable_initializers().push_back(kept);
    }
  }
  graphsurgeon::cleanup(result.model);
  return result;
}

constexpr std::string_view kEndless =
    "<ir_version: 8, opset_import: [\"\": 16]> g (float[1] x) => (float[1] y) "
    "<int64 trips = {4611686018427387904}, bool go = {1}> {"
    "  y = Loop (trips, go, x) <body = b (int64 i, bool on, float[1] v) => "
    "    (bool still, float[1] w) { still = Identity (on)  w = Sin (v) }>"
    "}";

class VerifyTest : public testing::Test {
 protected:
  VerifyOptions options(std::string_view text, std::vector<TestRule> rules) {
    VerifyOptions result;
    result.load_input = [text] { return parse_onnx_text(text); };
    result.transform = [this, text, rules = std::move(rules)](const RewriteLimits& limits,
                                                              Logger&) {
      ++transforms_;
      return fold(parse_onnx_text(text), rules, limits);
    };
    result.reproduction_folder = folder_ / "out.verify";
    return result;
  }
  Verified verify(std::string_view text, std::vector<TestRule> rules) {
    return polygraphy::verify(runtime_, options(text, std::move(rules)), log_.log());
  }

  TemporaryFolder folder_;
  RecordingLog log_;
  BundledRuntime runtime_{built_paths(), log_.log()};
  int transforms_ = 0;
};

constexpr std::string_view kSums =
    "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) "
    "<float[1] a = {1}, float[1] b = {2}> { s = Add (a, b)  y = Mul (x, s) }";

// Three good rewrites before the bad one, two behind it.
constexpr std::string_view kChain =
    "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) "
    "<float[1] a = {1}, float[1] b = {3}> {"
    " [n0] s = Add (a, b)  [n1] t = Add (s, b)  [n2] u = Add (t, a)"
    " [bad] v = Mul (u, b)  [n4] w = Add (v, a)  [n5] z = Add (w, a)  [n6] y = Mul (x, z) }";

TEST_F(VerifyTest, AFoldThatIsRightStays) {
  const Verified done = verify(kSums, {kAdd});
  EXPECT_EQ(done.verdict, Verification::kSame);
  EXPECT_THAT(done.rolled_back, IsEmpty());
  EXPECT_EQ(done.model.graph->nodes().size(), 1u);
  EXPECT_TRUE(done.bit_equal);
  EXPECT_EQ(done.runs, 6);  // three sizes of N, each in [0, 1] and in [-1, 1]
  EXPECT_EQ(transforms_, 1);
  EXPECT_THAT(
      log_.messages(),
      ElementsAre("[I] Verified: on 6 input(s) the result agrees with the input model bit by bit"));
}

TEST_F(VerifyTest, AModelThatNeverEndsIsNotVerified) {
  VerifyOptions endless = options(kEndless, {});
  endless.timeout = 0.3;
  const Verified done = polygraphy::verify(runtime_, endless, log_.log());
  EXPECT_EQ(done.verdict, Verification::kNotRun);
  EXPECT_THAT(done.reason, HasSubstr("took more than 0.3 s"));
}

TEST_F(VerifyTest, ADeliberatelyWrongRuleIsCaughtNamedAndRolledBack) {
  const Verified done = verify(kChain, {kAdd, kWrong});
  EXPECT_EQ(done.verdict, Verification::kSame);
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  const RolledBack& guilty = done.rolled_back[0];
  EXPECT_EQ(guilty.rule, "deliberately-wrong");
  EXPECT_EQ(guilty.node, "bad");
  EXPECT_EQ(guilty.op, "Mul");
  EXPECT_THAT(guilty.tensors, ElementsAre("v"));
  EXPECT_EQ(guilty.output, "y");
  EXPECT_THAT(guilty.difference, HasSubstr("element 0 of 1 is "));
  // The other rules have done their work: u is folded, the product and what needs it is not.
  EXPECT_EQ(done.model.graph->nodes().size(), 4u);
  EXPECT_THAT(
      log_.messages(),
      ElementsAre(
          AllOf(HasSubstr(
                    "[W] The result differs from the input model: output 'y': element 0 of 1 is "),
                HasSubstr("(on x (1,); seed 1)")),
          "[I] Searching for the guilty rewrite",
          AllOf(HasSubstr("[W] Kept node 'bad' (Mul): its rewrite by rule 'deliberately-wrong' "
                          "changed the result"),
                HasSubstr("To reproduce: " + guilty.model)),
          HasSubstr("[I] Verified: on 6 input(s)")));
}

TEST_F(VerifyTest, FindsTheRewriteByBisection) {
  std::string text =
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[1] x) => (float[1] y) "
      "<float[1] a = {1}, float[1] b = {3}> { t0 = Add (a, b)";
  for (int i = 1; i < 200; ++i) {
    text += " t" + std::to_string(i) + " = " + (i == 137 ? "Mul" : "Add") + " (t" +
            std::to_string(i - 1) + ", a)";
  }
  text += " y = Add (x, t199) }";
  const Verified done = verify(text, {kAdd, kWrong});
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  EXPECT_THAT(done.rolled_back[0].tensors, ElementsAre("t137"));
  // First and last fold, both ends of the range, its halves, and the one before the guilty rewrite.
  EXPECT_LE(transforms_, 13);
}

TEST_F(VerifyTest, ProgressCountsFinishedStepsOfTheBisection) {
  int64_t step = -1;
  const ProgressWatch watch([&](std::span<const Progress> phases) {
    step = -1;
    for (const Progress& phase : phases) {
      if (phase.phase.starts_with("searching")) step = phase.done;
    }
  });
  VerifyOptions how = options(kChain, {kAdd, kWrong});
  std::vector<int64_t> at_transforms;
  how.transform = [&, fold_again = how.transform](const RewriteLimits& limits, Logger& log) {
    if (step >= 0) at_transforms.push_back(step);
    return fold_again(limits, log);
  };
  polygraphy::verify(runtime_, how, log_.log());
  ASSERT_FALSE(at_transforms.empty());
  EXPECT_EQ(at_transforms[0], 0);
}

TEST_F(VerifyTest, SavesTheNodeAsItWas) {
  const Verified done = verify(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) "
      "<float[1] a = {1}, float[1] b = {3}> { [bad] v = Mul (a, b)  y = Mul (x, v) }",
      {kWrong});
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  EXPECT_EQ(done.rolled_back[0].model, folder_ / "out.verify/1-deliberately-wrong.onnx");
  EXPECT_EQ(done.rolled_back[0].inputs, "");  // nothing but constants reaches it
  const Model model = graphsurgeon::load_model(done.rolled_back[0].model);
  ASSERT_EQ(model.graph->nodes().size(), 1u);
  EXPECT_EQ(model.graph->nodes()[0]->name(), "bad");
  const auto session = runtime_.load(model);
  EXPECT_EQ(describe(run_model(*session, {}).find("v")->tensor()), "float32 (1,) [3.]");
}

// A wrong rule that looks at no constants: Neg becomes nothing.
TEST_F(VerifyTest, SavesWhatReachedTheNode) {
  constexpr std::string_view kText =
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) {"
      " a = Exp (x)  [bad] b = Neg (a)  y = Abs (b)  }";
  VerifyOptions how = options(kText, {});
  how.data.seed = 3;
  how.transform = [&](const RewriteLimits& limits, Logger&) {
    Transformed result{parse_onnx_text(kText), {}};
    if (limits.max_rewrites == 0 || !limits.kept_tensors.empty()) return result;
    const NodeRef& bad = result.model.graph->nodes()[1];
    result.rewrites.push_back({"no-neg", bad->op(), bad->name(), {bad->outputs()[0]->name()}});
    bad->set_op("Sqrt");
    return result;
  };
  const Verified done = polygraphy::verify(runtime_, how, log_.log());
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  const RolledBack& guilty = done.rolled_back[0];
  EXPECT_EQ(guilty.node, "bad");
  EXPECT_EQ(guilty.inputs, folder_ / "out.verify/1-no-neg.inputs.json");
  const std::vector<ArrayMap> feeds = load_feeds(guilty.inputs, log_.log());
  ASSERT_THAT(feeds, SizeIs(1));
  const auto session = runtime_.load(graphsurgeon::load_model(guilty.model));
  ASSERT_EQ(session->inputs().size(), 1u);
  EXPECT_EQ(session->inputs()[0].name, "a");
  const ValueMap outputs = run_model(*session, values_of(feeds[0]));
  EXPECT_EQ(outputs.find("b")->tensor().get_double(0), -feeds[0].find("a")->get_double(0));
}

TEST_F(VerifyTest, TheNodeMayLieInABranch) {
  constexpr std::string_view kText =
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x, bool c) => (float[N] y) {"
      " a = Exp (x)  [if] y = If (c) <then_branch = t () => (float[N] u) "
      "{ [bad] b = Neg (a)  u = Exp (b) }, "
      "else_branch = e () => (float[N] w) { w = Neg (a) }> }";
  VerifyOptions how = options(kText, {});
  how.transform = [&](const RewriteLimits& limits, Logger&) {
    Transformed result{parse_onnx_text(kText), {}};
    if (limits.max_rewrites == 0 || !limits.kept_tensors.empty()) return result;
    const NodeRef bad = result.model.graph->nodes()[1]->subgraphs()[0]->nodes()[0];
    result.rewrites.push_back({"no-neg", bad->op(), bad->name(), {bad->outputs()[0]->name()}});
    bad->set_op("Abs");
    return result;
  };
  const Verified done = polygraphy::verify(runtime_, how, log_.log());
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  const Model model = graphsurgeon::load_model(done.rolled_back[0].model);
  ASSERT_EQ(model.graph->nodes().size(), 1u);
  EXPECT_EQ(model.graph->nodes()[0]->name(), "if");
  // Captures of the branches are inputs as well.
  const std::vector<ArrayMap> feeds = load_feeds(done.rolled_back[0].inputs, log_.log());
  EXPECT_TRUE(feeds.at(0).contains("a"));
  EXPECT_TRUE(feeds.at(0).contains("c"));
  EXPECT_EQ(run_model(*runtime_.load(model), values_of(feeds[0])).size(), 1u);
}

TEST_F(VerifyTest, SeveralWrongRulesGoOneByOne) {
  const Verified done = verify(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) "
      "<float[1] a = {1}, float[1] b = {3}> {"
      " s = Sub (a, b)  v = Mul (a, b)  t = Add (a, b)  p = Mul (x, v)"
      " q = Add (p, s)  y = Add (q, t) }",
      {kAdd, kWrong, kDoubles});
  EXPECT_EQ(done.verdict, Verification::kSame);
  ASSERT_THAT(done.rolled_back, SizeIs(2));
  EXPECT_EQ(done.rolled_back[0].rule, "wrong-type");  // it did not even load
  EXPECT_EQ(done.rolled_back[0].output, "");
  EXPECT_EQ(done.rolled_back[1].rule, "deliberately-wrong");
  EXPECT_EQ(done.model.graph->nodes().size(), 5u);  // t is folded
}

TEST_F(VerifyTest, AResultThatDoesNotRunIsWorse) {
  const Verified done = verify(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) "
      "<float[1] a = {1}, float[1] b = {3}> { s = Sub (a, b)  y = Mul (x, s) }",
      {kDoubles});
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  EXPECT_THAT(log_.messages()[0],
              HasSubstr("[W] The result does not run where the input model does"));
  EXPECT_EQ(done.model.graph->nodes().size(), 2u);
}

TEST_F(VerifyTest, WhatNoRewriteDidLeavesTheInput) {
  VerifyOptions how = options(kSums, {});
  how.transform = [](const RewriteLimits&, Logger&) {
    Transformed result{parse_onnx_text(kSums), {}};
    result.model.graph->nodes()[1]->set_op("Add");
    return result;
  };
  const Verified done = polygraphy::verify(runtime_, how, log_.log());
  EXPECT_EQ(done.verdict, Verification::kInputKept);
  EXPECT_EQ(to_onnx_text(done.model), to_onnx_text(parse_onnx_text(kSums)));
  EXPECT_THAT(done.reason, HasSubstr("without any rewrite"));
  EXPECT_TRUE(log_.has("keeping the input model"));
}

TEST_F(VerifyTest, ARuleThatCannotBeSkippedLeavesTheInput) {
  VerifyOptions how = options(kSums, {});
  how.transform = [](const RewriteLimits& limits, Logger&) {
    Transformed result{parse_onnx_text(kSums), {}};
    if (limits.max_rewrites == 0) return result;
    result.rewrites.push_back({"stubborn", "Mul", "", {"y"}});
    result.model.graph->nodes()[1]->set_op("Add");
    return result;
  };
  const Verified done = polygraphy::verify(runtime_, how, log_.log());
  EXPECT_EQ(done.verdict, Verification::kInputKept);
  ASSERT_THAT(done.rolled_back, SizeIs(2));
  EXPECT_FALSE(done.rolled_back[0].whole_rule);
  EXPECT_TRUE(done.rolled_back[1].whole_rule);
  EXPECT_EQ(to_onnx_text(done.model), to_onnx_text(parse_onnx_text(kSums)));
}

TEST_F(VerifyTest, AModelThatDoesNotRunHereIsNotVerified) {
  const Verified done = verify(
      "<ir_version: 8, opset_import: [\"\": 17, \"mine\": 1]> "
      "g (float[N] x) => (float[N] y) <float[1] a = {1}, float[1] b = {2}> "
      "{ s = Add (a, b)  y = mine.Unheard (x, s) }",
      {kAdd});
  EXPECT_EQ(done.verdict, Verification::kNotRun);
  EXPECT_EQ(done.model.graph->nodes().size(), 1u);  // the result stays
  EXPECT_THAT(log_.messages(),
              ElementsAre(AllOf(
                  HasSubstr("[W] The result could not be verified: the input model "
                            "does not run here: "),
                  HasSubstr("Unheard"),
                  HasSubstr("; the result does not load, either, with or without folding: "))));
}

// Seventy-seven numbers out of one, two or four: it loads all the same.
constexpr std::string_view kNeverRuns =
    "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[7,11] y) "
    "<int64[2] shape = {7, 11}, float[1] a = {1}, float[1] b = {2}> "
    "{ s = Sub (a, b)  z = Mul (x, s)  y = Reshape (z, shape) }";

TEST_F(VerifyTest, WhereTheInputDoesNotRunTheResultLoads) {
  const Verified right = verify(kNeverRuns, {kAdd});
  EXPECT_EQ(right.verdict, Verification::kNotRun);
  EXPECT_THAT(right.reason, AllOf(HasSubstr("the input model does not run here: "),
                                  HasSubstr("; the result loads")));

  const Verified wrong = verify(kNeverRuns, {kDoubles});
  EXPECT_EQ(wrong.verdict, Verification::kNotRun);
  ASSERT_THAT(wrong.rolled_back, SizeIs(1));
  EXPECT_EQ(wrong.rolled_back[0].rule, "wrong-type");
  EXPECT_TRUE(log_.has("The result does not load: "));
  EXPECT_THAT(wrong.reason, HasSubstr("; the result loads"));
  EXPECT_EQ(wrong.model.graph->nodes().size(), 3u);
}

// Two and two are four either way.
TEST_F(VerifyTest, OtherRewritesOfTheRuleStay) {
  const Verified done = verify(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) "
      "<float[1] a = {2}, float[1] b = {3}> {"
      " s = Mul (a, a)  [bad] t = Mul (a, b)  p = Mul (x, s)  y = Mul (p, t) }",
      {kWrong});
  EXPECT_EQ(done.verdict, Verification::kSame);
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  EXPECT_EQ(done.rolled_back[0].node, "bad");
  EXPECT_FALSE(done.rolled_back[0].whole_rule);
  EXPECT_EQ(done.model.graph->nodes().size(), 3u);
}

TEST_F(VerifyTest, ARuleThatIsWrongAgainAndAgainIsSkipped) {
  std::string text =
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[1] x) => (float[1] y0) "
      "<float[1] a = {2}, float[1] b = {3}> {";
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i), next = i == 5 ? "x" : "y" + std::to_string(i + 1);
    text += " t" + n + " = Mul (a, b)  y" + n + " = Add (" + next + ", t" + n + ")";
  }
  Model sorted = parse_onnx_text(text + " }");
  graphsurgeon::toposort(sorted);
  const std::string in_order = to_onnx_text(sorted);
  const Verified done = verify(in_order, {kWrong});
  EXPECT_EQ(done.verdict, Verification::kSame);
  ASSERT_THAT(done.rolled_back, SizeIs(4));
  EXPECT_TRUE(done.rolled_back[3].whole_rule);
}

TEST_F(VerifyTest, InputsOnWhichTheInputModelFailsDoNotCount) {
  const Verified done = verify(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[M] y) "
      "<int64[2] two = {2, -1}, float[1] a = {1}, float[1] b = {2}> "
      "{ s = Add (a, b)  z = Mul (x, s)  y = Reshape (z, two) }",
      {kAdd});
  EXPECT_EQ(done.verdict, Verification::kSame);
  EXPECT_EQ(done.runs, 4);  // of N = 1, 2, 4
}

TEST_F(VerifyTest, SavedInputsAreRunBesides) {
  InputWriter writer(folder_ / "in.json", log_.log());
  writer.add({{"x", Array::of<float>({3}, {1e6, 2e6, 3e6})}});
  writer.finish();
  // Correct for generated inputs, wrong for large numbers.
  VerifyOptions how = options(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) "
      "<float hi = {1000}> { y = Identity (x) }",
      {});
  how.inputs = {folder_ / "in.json"};
  how.transform = [&](const RewriteLimits& limits, Logger&) {
    Transformed result{
        parse_onnx_text("<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => "
                        "(float[N] y) <float hi = {1000}> { y = Identity (x) }"),
        {}};
    if (limits.max_rewrites == 0 || !limits.kept_tensors.empty()) return result;
    Node& node = *result.model.graph->nodes()[0];
    result.rewrites.push_back({"clips", node.op(), node.name(), {"y"}});
    node.set_op("Min");
    node.inputs().append(result.model.graph->initializers()[0]);
    return result;
  };
  const Verified done = polygraphy::verify(runtime_, how, log_.log());
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  EXPECT_EQ(done.rolled_back[0].input, "saved inputs 0");
  EXPECT_EQ(done.rolled_back[0].difference,
            "element 0 of 3 is 1000, was 1000000 (3 elements differ)");
  EXPECT_EQ(done.runs, 7);
}

TEST_F(VerifyTest, OutputsThatDifferEachTimeAreLeftOut) {
  const Verified done = verify(
      "<ir_version: 8, opset_import: [\"\": 17]> "
      "g (float[N] x) => (float[N] y, float[64] r) <float[1] a = {1}, float[1] b = {2}> "
      "{ s = Add (a, b)  y = Mul (x, s)  r = RandomUniform <shape = [64]> () }",
      {kAdd});
  EXPECT_EQ(done.verdict, Verification::kSame);
  EXPECT_TRUE(log_.has("[W] The input model computes 'r' differently each time: not verified"));
}

TEST_F(VerifyTest, OtherOutputsAreComparedWithTheSameTensors) {
  VerifyOptions how = options(kSums, {});
  how.transform = [](const RewriteLimits& limits, Logger&) {
    Transformed result = fold(parse_onnx_text(kSums), {kAdd}, limits);
    for (const auto& initializer : result.model.graph->initializers()) {
      if (initializer->name() == "s") result.model.graph->mutable_outputs() = {initializer};
    }
    return result;
  };
  EXPECT_EQ(polygraphy::verify(runtime_, how, log_.log()).verdict, Verification::kSame);
}

TEST_F(VerifyTest, NarrowedInputsAreRunAsTheResultTakesThem) {
  VerifyOptions how = options(kSums, {});
  how.transform = [](const RewriteLimits& limits, Logger&) {
    Transformed result = fold(parse_onnx_text(kSums), {kAdd}, limits);
    result.model.graph->inputs()[0]->set_shape(graphsurgeon::DimList{7});
    return result;
  };
  const Verified done = polygraphy::verify(runtime_, how, log_.log());
  EXPECT_EQ(done.verdict, Verification::kSame);
  EXPECT_EQ(done.runs, 2);
}

// A runtime that gets one tensor wrong.
class Liar final : public graphsurgeon::Evaluator {
 public:
  Liar(BundledRuntime& runtime, std::string_view tensor) : honest_(runtime), tensor_(tensor) {}

  std::vector<Array> evaluate(const Model& region,
                              const std::vector<std::pair<std::string, Array>>& feeds) override {
    std::vector<Array> results = honest_.evaluate(region, feeds);
    for (size_t i = 0; i < results.size(); ++i) {
      if (region.graph->outputs()[i]->name() != tensor_) continue;
      results[i] = Array::of<float>({1}, {1234});
    }
    return results;
  }

 private:
  OnnxrtEvaluator honest_;
  std::string tensor_;
};

// The real rules, pass by pass.
TEST_F(VerifyTest, WhatARuntimeGetsWrongIsFoundAmongTheRealRewrites) {
  constexpr std::string_view kText =
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[N] x) => (float[N] y) "
      "<float[1] a = {0.5}> {"
      " one = Sin (a)  two = Cos (a)  [wrong] three = Tan (a)  four = Atan (a)"
      " p = Mul (x, one)  q = Mul (p, two)  r = Mul (q, three)  y = Mul (r, four) }";
  Liar liar(runtime_, "three");
  VerifyOptions how;
  how.load_input = [] { return parse_onnx_text(kText); };
  how.transform = [&](const RewriteLimits& limits, Logger& log) {
    Transformed result{parse_onnx_text(kText), {}};
    graphsurgeon::FoldOptions options;
    options.evaluator = &liar;
    limit(options, limits);
    for (;;) {
      options.max_rewrites = limits.max_rewrites - static_cast<int64_t>(result.rewrites.size());
      const auto report = graphsurgeon::fold_constants(result.model, options, log);
      if (report.rewrites.empty()) break;
      result.rewrites.insert(result.rewrites.end(), report.rewrites.begin(), report.rewrites.end());
    }
    graphsurgeon::cleanup(result.model);
    return result;
  };
  const Verified done = polygraphy::verify(runtime_, how, log_.log());
  EXPECT_EQ(done.verdict, Verification::kSame);
  ASSERT_THAT(done.rolled_back, SizeIs(1));
  EXPECT_EQ(done.rolled_back[0].rule, "evaluate");
  EXPECT_EQ(done.rolled_back[0].node, "wrong");
  EXPECT_THAT(done.rolled_back[0].tensors, ElementsAre("three"));
}

}  // namespace
}  // namespace polygraphy
