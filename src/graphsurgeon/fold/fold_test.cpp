#include "graphsurgeon/fold/fold.h"

#include "base/error.h"
#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The trace of x.view(x.size(0), -1).
constexpr std::string_view kView = R"(
  g (float[B, 3, 4] x) => (float[B, M] y) {
    shape = Shape (x)
    zero = Constant <value = int64 {0}> ()
    batch = Gather <axis = 0> (shape, zero)
    axes = Constant <value = int64[1] {0}> ()
    batch_1 = Unsqueeze (batch, axes)
    rest = Constant <value = int64[1] {-1}> ()
    to = Concat <axis = 0> (batch_1, rest)
    y = Reshape (x, to)
  })";

TEST(Fold, KnownShapesNeedOneSweep) {
  std::string text(kView);
  text.replace(text.find("float[B, 3"), 10, "float[2, 3");
  const Folded folded = fold(text);
  EXPECT_EQ(folded.nodes, "y = Reshape(x, to)");
  EXPECT_EQ(folded.constant("to"), "int64[2]{2,-1}");
}

TEST(Fold, UnknownDimensionsStaySymbolic) {
  const Folded folded = fold(kView);
  EXPECT_EQ(folded.nodes,
            "shape = Shape(x); batch = Gather(shape, zero); batch_1 = Unsqueeze(batch, axes); "
            "to = Concat(batch_1, rest); y = Reshape(x, to)");
}

TEST(Fold, WithoutShapesOnlyConstantsFold) {
  std::string text(kView);
  text.replace(text.find("float[B, 3"), 10, "float[2, 3");
  const Folded folded = fold(text, {.fold_shapes = false});
  EXPECT_EQ(folded.rules(), "constant-node");
}

TEST(Fold, AnOutputBecomesAConstantOutput) {
  const Folded folded = fold(R"(
    g (float[2] x) => (float[2] y, int64[1] n) {
      y = Relu (x)
      n = Shape (x)
    })");
  EXPECT_EQ(folded.nodes, "y = Relu(x)");
  EXPECT_EQ(folded.constant("n"), "int64[1]{2}");
  EXPECT_EQ(folded.model.graph->outputs()[1]->name(), "n");
}

TEST(Fold, QuantizationAndRandomNumbersStay) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y)
      <int8[2] q = {1, 2}, float s = {0.5}, int8 z = {0}, float[2] w = {1, 2}> {
      [dq] d = DequantizeLinear (q, s, z)
      [random] r = RandomNormal <shape = [2]> ()
      [bernoulli] b = Bernoulli (w)
      sum = Add (d, r)
      sum2 = Add (sum, b)
      y = Add (sum2, x)
    })");
  EXPECT_EQ(folded.report.rewrites.size(), 0u);
  EXPECT_EQ(folded.refusals(),
            "dq (DequantizeLinear): quantization is left to the runtime; "
            "random (RandomNormal): its result differs from run to run; "
            "bernoulli (Bernoulli): its result differs from run to run");
}

TEST(Fold, CustomDomainsStay) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
      [mine] v = my.Twice (w)
      y = Add (x, v)
    })");
  EXPECT_THAT(folded.refusals(), HasSubstr("mine (Twice): its domain is not the standard's"));
}

TEST(Fold, ExcludedNodesStay) {
  FoldOptions options;
  options.exclude = [](const Node& node) { return node.name() == "keep"; };
  const Folded folded = fold(R"(
    g (float[2] x) => (float[2] y) <float[2] a = {1, 2}, float[2] b = {3, 4}> {
      [keep] c = Add (a, b)
      [gone] d = Mul (a, b)
      e = Add (c, d)
      y = Add (e, x)
    })",
                             options);
  EXPECT_EQ(folded.nodes, "c = Add(a, b); e = Add(c, d); y = Add(e, x)");
  EXPECT_EQ(folded.refusals(), "keep (Add): excluded by the caller");
}

TEST(Fold, SkippedRulesDoNothing) {
  const Folded folded = fold(R"(
    g (float[2] x) => (float[2] y) <float[2] a = {1, 2}, float[2] b = {3, 4}> {
      c = Identity (a)
      d = Mul (c, b)
      y = Add (d, x)
    })",
                             {.skip_rules = {"arithmetic", "evaluate"}});
  EXPECT_EQ(folded.rules(), "reshape");
  EXPECT_THAT(folded.refusals(), HasSubstr("the rule 'evaluate' is disabled"));
}

// As PyTorch exports with keep_initializers_as_inputs.
constexpr std::string_view kDefaults = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x, float[2] a = {1, 2}, float[2] b = {3, 4}, bool p = {1}) => (float[2] y) {
    c = Identity (a)
    d = If (p) <then_branch = t () => (float[2] u) { u = Mul (c, x) },
                else_branch = e () => (float[2] v) { v = Neg (x) }>
    y = Add (d, b)
  })";

TEST(Fold, DefaultValuesOfInputsAreConstants) {
  const Folded folded = fold(kDefaults);
  EXPECT_EQ(folded.nodes, "d = Mul(c, x); y = Add(d, b)");
  EXPECT_THAT(folded.report.taken_defaults, testing::ElementsAre("a", "p"));
}

TEST(Fold, DefaultValuesOfInputsAreKeptOnRequest) {
  const Folded folded = fold(kDefaults, {.keep_input_defaults = true});
  EXPECT_EQ(folded.nodes, "c = Identity(a); d = If(p); y = Add(d, b)");
  EXPECT_TRUE(folded.report.taken_defaults.empty());
}

// Constants that no caller replaces, so folding them has no side effect.
TEST(Fold, InputsOfOldModelsHaveNoDefaults) {
  std::string text(kDefaults);
  text.replace(text.find("ir_version: 8"), 13, "ir_version: 3");
  const Folded folded = fold(text, {.keep_input_defaults = true});
  EXPECT_EQ(folded.nodes, "d = Mul(c, x); y = Add(d, b)");
  EXPECT_TRUE(folded.report.taken_defaults.empty());
}

TEST(Fold, UnknownRulesAreNamed) {
  Model model = parse_onnx_text("g (float x) => (float y) { y = Relu (x) }");
  polygraphy::Logger silent;
  try {
    fold_constants(model, {.skip_rules = {"arithmetics"}}, silent);
    FAIL();
  } catch (const polygraphy::Error& error) {
    EXPECT_STREQ(error.what(), "unknown fold rule 'arithmetics'");
    EXPECT_EQ(error.hint(), "Did you mean 'arithmetic'?");
  }
}

TEST(Fold, AnyNumberOfRewritesIsAPrefix) {
  std::string text(kView);
  text.replace(text.find("float[B, 3"), 10, "float[2, 3");
  const Folded all = fold(text);
  ASSERT_GE(all.report.rewrites.size(), 5u);
  for (size_t limit = 0; limit <= all.report.rewrites.size(); ++limit) {
    const Folded some = fold(text, {.max_rewrites = static_cast<int64_t>(limit)});
    ASSERT_EQ(some.report.rewrites.size(), limit);
    for (size_t i = 0; i < limit; ++i) {
      EXPECT_EQ(some.report.rewrites[i].rule, all.report.rewrites[i].rule);
      EXPECT_EQ(some.report.rewrites[i].tensors, all.report.rewrites[i].tensors);
    }
  }
}

// As editors do it: cleanup() unlinks the producer afterwards.
TEST(Fold, AnInputWithAProducerStaysAnInput) {
  Model model = parse_onnx_text(R"(
    g (float[2] x) => (float[2] y) <float[2] a = {1, 2}> {
      c = Add (a, a)
      y = Mul (c, x)
    })");
  model.graph->mutable_inputs().emplace_back(model.graph->nodes()[0]->outputs()[0]);
  polygraphy::Logger silent;
  EXPECT_TRUE(fold_constants(model, {}, silent).rewrites.empty());
  cleanup(model);
  EXPECT_EQ(node_list(*model.graph), "y = Mul(c, x)");
}

TEST(Fold, ANodeWithMoreOutputsThanItsOperatorStays) {
  Model model =
      parse_onnx_text(R"(agraph (float[2, 3] x) => (int64[N] y, int64[N] z, int64[2] c, int64 d) {
    y, z = Shape (x)
    c, d = Constant <value: tensor = int64[2] {1, 2}> ()
  })");
  polygraphy::Logger silent;
  EXPECT_TRUE(fold_constants(model, {}, silent).rewrites.empty());
  for (const NodeRef& node : model.graph->nodes()) EXPECT_EQ(node->outputs().size(), 2u);
}

TEST(Fold, RulesAreDescribedForPeople) {
  std::string last;
  for (const FoldRule* rule : fold_rules()) {
    EXPECT_LT(last, rule->name);
    last = rule->name;
    EXPECT_FALSE(rule->summary.empty()) << rule->name;
    EXPECT_NE(rule->summary.back(), '.') << rule->name;
    EXPECT_LE(rule->summary.size(), 100u) << rule->name;
    for (const char c : rule->name) EXPECT_TRUE(c == '-' || (c >= 'a' && c <= 'z')) << rule->name;
    EXPECT_TRUE(rule->apply != nullptr || rule->name == "evaluate");
    EXPECT_EQ(rule->ops.empty(), rule->apply == nullptr) << rule->name;
  }
}

}  // namespace
}  // namespace graphsurgeon
