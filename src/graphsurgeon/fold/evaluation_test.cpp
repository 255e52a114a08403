#include "graphsurgeon/fold/evaluation.h"

#include <fmt/format.h>

#include "graphsurgeon/fold/testdata/folding.h"
#include "graphsurgeon/fold/testdata/zero_evaluator.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;

constexpr std::string_view kTwoParts = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) <float[2] a = {1, 2}, float[2] b = {3, 4}> {
    [one] e = Exp (a)
    [two] s = Sin (e)
    [three] c = Cos (b)
    u = Add (x, s)
    y = Add (u, c)
  })";

FoldOptions with(ZeroEvaluator& evaluator) {
  FoldOptions options;
  options.evaluator = &evaluator;
  return options;
}

TEST(Evaluation, EverythingInOneSession) {
  ZeroEvaluator zeros;
  const Folded folded = fold(kTwoParts, with(zeros));
  EXPECT_EQ(folded.nodes, "u = Add(x, s); y = Add(u, c)");
  EXPECT_THAT(zeros.regions, testing::ElementsAre("Exp Sin Cos"));
  EXPECT_EQ(folded.rules(), "evaluate");
  EXPECT_EQ(folded.report.rewrites[0].node, "two");
  EXPECT_EQ(folded.report.growth, 0);  // the constants that fed them are gone
}

TEST(Evaluation, NothingToComputeOpensNoSession) {
  ZeroEvaluator zeros;
  fold("g (float x) => (float y) { y = Relu (x) }", with(zeros));
  EXPECT_TRUE(zeros.regions.empty());
}

// Runtimes divide as the processor does, which ends the process.
TEST(Evaluation, NothingDividesTheSmallestIntegerByMinusOne) {
  const auto folded_with = [](std::string_view divisor) {
    ZeroEvaluator zeros;
    FoldOptions options = with(zeros);
    options.max_rewrites = 100;  // one sweep: the next one knows what this one computed
    return fold(fmt::format(R"(
      <ir_version: 8, opset_import: ["" : 18]>
      g (int32[1] x) => (int32[1] y)
        <int32[1] a = {{-2147483648}}, int32[1] known = {{-1}}, int32[1] other = {{-3}}> {{
        computed = BitwiseNot (other)
        [quotient] d = Div (a, {})
        y = Add (x, d)
      }})",
                            divisor),
                options);
  };
  for (const char* divisor : {"known", "computed"}) {
    const Folded folded = folded_with(divisor);
    EXPECT_THAT(folded.nodes, HasSubstr("d = Div(a, "));
    EXPECT_THAT(folded.refusals(),
                HasSubstr("quotient (Div): it may divide the smallest integer by -1"));
  }
  EXPECT_EQ(folded_with("other").nodes, "y = Add(x, d)");
}

TEST(Evaluation, WithoutARuntimeTheRulesStillApply) {
  Model model = parse_onnx_text(kTwoParts);
  std::string warnings;
  polygraphy::Logger logger([&](polygraphy::Severity, std::string_view t) { warnings += t; });
  const FoldReport report = fold_constants(model, {}, logger);
  EXPECT_TRUE(report.rewrites.empty());
  EXPECT_EQ(report.refusals.size(), 2u);
  EXPECT_THAT(warnings, HasSubstr("2 nodes depend only on constants"));
}

TEST(Evaluation, AFailureFoldsNothing) {
  ZeroEvaluator zeros("Exp");
  const Folded folded = fold(kTwoParts, with(zeros));
  EXPECT_TRUE(folded.report.rewrites.empty());
  EXPECT_THAT(folded.warnings, HasSubstr("Inference failed. You may want to try enabling "
                                         "partitioning to see better results"));
  EXPECT_THAT(folded.warnings, HasSubstr("no kernel for Exp ('one')"));
  EXPECT_THAT(folded.refusals(), HasSubstr("three (Cos): the evaluator cannot compute it"));
}

TEST(Evaluation, ErrorsAreThrownWhereTheyAreNotOkay) {
  for (const Partitioning partitioning : {Partitioning::kNone, Partitioning::kBasic}) {
    ZeroEvaluator zeros("Exp");
    FoldOptions options = with(zeros);
    options.error_ok = false;
    options.partitioning = partitioning;
    Model model = parse_onnx_text(kTwoParts);
    polygraphy::Logger silent;
    EXPECT_THROW(fold_constants(model, options, silent), polygraphy::Error);
    EXPECT_NO_THROW(check_model(model));
  }
}

TEST(Evaluation, OperatorsThatNobodyKnowsAreErrorsWhereTheseAreNotOkay) {
  for (const char* domain : {"", "mine"}) {
    Model model = parse_onnx_text(fmt::format(R"(
      <ir_version: 8, opset_import: ["" : 17, "mine" : 1]>
      g (float[2] x) => (float[2] y) <float[2] c = {{1, 2}}> {{
        d = {}{}Nope (c)
        y = Add (x, d)
      }})",
                                              domain, *domain ? "." : ""));
    ZeroEvaluator zeros;
    FoldOptions options = with(zeros);
    polygraphy::Logger silent;
    EXPECT_NO_THROW(fold_constants(model, options, silent));
    options.error_ok = false;
    options.partitioning = Partitioning::kRecursive;
    EXPECT_NO_THROW(fold_constants(model, options, silent));
    options.partitioning = Partitioning::kNone;
    EXPECT_THROW(fold_constants(model, options, silent), polygraphy::Error);
  }
}

// G20: a part that fails is left out, and tried once.
TEST(Evaluation, BasicPartitioningLeavesOutWhatFails) {
  ZeroEvaluator zeros("Exp");
  FoldOptions options = with(zeros);
  options.partitioning = Partitioning::kBasic;
  Model model = parse_onnx_text(kTwoParts);
  std::string log;
  polygraphy::Logger logger([&](polygraphy::Severity, std::string_view t) { log += t; });
  const FoldReport report = fold_constants(model, options, logger);
  ASSERT_EQ(report.rewrites.size(), 1u);
  EXPECT_EQ(report.rewrites[0].node, "three");
  EXPECT_THAT(zeros.regions, testing::ElementsAre("Exp Sin Cos", "Exp Sin", "Cos"));
  EXPECT_THAT(log, HasSubstr("Inference failed for subgraph: Folding: ['s']"));
  EXPECT_THAT(log, HasSubstr("partitioning='recursive'"));
}

TEST(Evaluation, RecursivePartitioningPeelsOffWhatFails) {
  ZeroEvaluator zeros("Sin");
  FoldOptions options = with(zeros);
  options.partitioning = Partitioning::kRecursive;
  options.error_ok = false;  // it never throws
  Model model = parse_onnx_text(kTwoParts);
  polygraphy::Logger silent;
  const FoldReport report = fold_constants(model, options, silent);
  cleanup(model);
  EXPECT_EQ(node_list(*model.graph), "s = Sin(e); u = Add(x, s); y = Add(u, c)");
  EXPECT_EQ(report.refusals.size(), 1u);
}

TEST(Evaluation, WeightsAreFedWhereTheyLie) {
  ZeroEvaluator zeros;
  const Array bytes = Array::zeros(DataType::kFloat32, {1024, 1024});
  Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 1024] x) => (float[N, 1024] y) {
      t = Transpose (w)
      y = MatMul (x, t)
    })");
  Tensor& weight = *model.graph->nodes()[0]->inputs()[0];
  weight.to_constant(owned_payload(bytes));
  model.graph->mutable_initializers().emplace_back(&weight);
  const Folded folded = fold(std::move(model), with(zeros));
  EXPECT_EQ(folded.nodes, "y = MatMul(x, t)");
  EXPECT_THAT(zeros.feed_names, testing::ElementsAre("w"));
  EXPECT_EQ(zeros.feed_bytes[0], bytes.data());
  EXPECT_EQ(folded.report.growth, 0);
  ASSERT_EQ(folded.report.large.size(), 1u);
  EXPECT_EQ(folded.report.large[0], std::pair(std::string_view("t"), int64_t{4} << 20));
}

TEST(Evaluation, AllOutputsOfANodeAndOmittedInputs) {
  ZeroEvaluator zeros;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y, int64[2] i) <float[3] a = {1, 2, 3}, int64[1] k = {2}, float c = {2}> {
      v, i = TopK (a, k)
      clipped = Clip (v, , c)
      y = Add (x, clipped)
    })",
                             with(zeros));
  EXPECT_EQ(folded.nodes, "y = Add(x, clipped)");
  EXPECT_EQ(folded.constant("i"), "int64[2]{0,0}");
  EXPECT_THAT(zeros.regions, testing::ElementsAre("TopK Clip"));
}

TEST(Evaluation, CallsOfFunctionsAndTheirBodies) {
  ZeroEvaluator zeros;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2] x) => (float[2] y) <float[2] a = {1, 2}> {
      c = my.Shifted (a)
      d = my.Shifted (x)
      y = Add (c, d)
    }
    <domain: "my", opset_import: ["" : 17]>
    Shifted (v) => (w) {
      one = Constant <value = float[1] {1}> ()
      e = Exp (one)
      w = Add (v, e)
    })",
                             with(zeros));
  EXPECT_EQ(folded.nodes, "d = Shifted(x); y = Add(c, d)");
  EXPECT_EQ(node_list(*folded.model.functions[0]), "e = Constant(); w = Add(v, e)");
  EXPECT_THAT(zeros.regions, testing::ElementsAre("Shifted Exp"));
}

TEST(Evaluation, FunctionsThatMayNotBeFoldedStay) {
  ZeroEvaluator zeros;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2] x) => (float[2] y) <float[2] a = {1, 2}> {
      [call] c = my.Noisy (a)
      y = Add (c, x)
    }
    <domain: "my", opset_import: ["" : 17]>
    Noisy (v) => (w) {
      [noise] e = RandomNormalLike (v)
      w = Add (v, e)
    })",
                             with(zeros));
  EXPECT_TRUE(folded.report.rewrites.empty());
  EXPECT_THAT(folded.refusals(),
              HasSubstr("function 'Noisy' contains node 'noise' (RandomNormalLike)"));
}

TEST(Evaluation, ReferencesToAttributesStay) {
  ZeroEvaluator zeros;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2] x) => (float[2] y) { y = my.Leaky <slope = 0.5> (x) }
    <domain: "my", opset_import: ["" : 17]>
    Leaky <slope> (v) => (w) {
      s = Constant <value_float: float = @slope> ()
      r = Abs (s)
      w = Mul (v, r)
    })",
                             with(zeros));
  EXPECT_TRUE(folded.report.rewrites.empty());
}

// G8: exclusions apply everywhere.
TEST(Evaluation, SubgraphsAndFunctionsHearOfExclusion) {
  ZeroEvaluator zeros;
  FoldOptions options = with(zeros);
  options.exclude = [](const Node& node) { return node.name() == "keep"; };
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (bool p, float[2] x) => (float[2] y) <float[2] a = {1, 2}> {
      y = If (p) <then_branch = t () => (float[2] o) {
          [keep] e = Exp (a)
          [go] s = Sin (a)
          m = Add (e, s)
          o = Add (m, x)
        }, else_branch = f () => (float[2] o2) { o2 = Identity (x) }>
    })",
                             options);
  EXPECT_THAT(zeros.regions, testing::ElementsAre("Sin"));
  const auto branches = folded.model.graph->nodes()[0]->subgraphs();
  EXPECT_EQ(node_list(*branches[0]), "e = Exp(a); m = Add(e, s); o = Add(m, x)");
}

TEST(Evaluation, ALoopOfConstantsIsOneNode) {
  ZeroEvaluator zeros;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] y) <int64 n = {3}, bool c = {1}, float[1] start = {0}, float[1] step = {2}> {
      total = Loop (n, c, start) <body = b (int64 i, bool go, float[1] v) => (bool go2, float[1] v2) {
        go2 = Identity (go)
        v2 = Add (v, step)
      }>
      y = Add (x, total)
    })",
                             with(zeros));
  EXPECT_EQ(folded.nodes, "y = Add(x, total)");
  EXPECT_THAT(zeros.regions, testing::ElementsAre("Loop"));
}

TEST(Evaluation, ALoopThatCapturesAVariableStays) {
  ZeroEvaluator zeros;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] y) <int64 n = {3}, bool c = {1}, float[1] start = {0}> {
      y = Loop (n, c, start) <body = b (int64 i, bool go, float[1] v) => (bool go2, float[1] v2) {
        go2 = Identity (go)
        v2 = Add (v, x)
      }>
    })",
                             with(zeros));
  EXPECT_TRUE(folded.report.rewrites.empty());
}

// From IR version 4 on a caller may give other values.
TEST(Evaluation, DefaultValuesOfInputsAreNotConstantOnRequest) {
  ZeroEvaluator zeros;
  FoldOptions options = with(zeros);
  options.keep_input_defaults = true;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, float[2] scale = {1, 2}) => (float[2] y) {
      s = Exp (scale)
      y = Mul (x, s)
    })",
                             options);
  EXPECT_TRUE(folded.report.rewrites.empty());
}

TEST(Evaluation, TheSizeOfAResultMayBeSeenOnlyAfterwards) {
  ZeroEvaluator zeros;
  zeros.unknown_dim = int64_t{1} << 23;
  FoldOptions options = with(zeros);
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[N] y) <float[3] a = {1, 2, 1}, bool[3] c = {1, 0, 1}> {
      [squash] u = Compress <axis = 0> (a, c)
      y = Add (x, u)
    })",
                             options);
  EXPECT_EQ(folded.nodes, "u = Compress(a, c); y = Add(x, u)");
  EXPECT_EQ(folded.report.deferred, int64_t{4} << 23);
  EXPECT_THAT(folded.refusals(), HasSubstr("squash (Compress): its result would add 32 MiB"));
}

}  // namespace
}  // namespace graphsurgeon
