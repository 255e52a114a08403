#include "graphsurgeon/fold/budget.h"

#include "graphsurgeon/fold/testdata/folding.h"
#include "graphsurgeon/fold/testdata/zero_evaluator.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;

constexpr int64_t kMiB = int64_t{1} << 20;

FoldOptions limited(Evaluator& evaluator, std::optional<int64_t> limit) {
  FoldOptions options;
  options.evaluator = &evaluator;
  options.max_growth = limit;
  return options;
}

// A row that is repeated 1024 times: 4 MiB, and a small sum of it.
constexpr std::string_view kRows = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  g (float[1024, 1024] x) => (float[1024, 1024] y) <int64[2] shape = {1024, 1024}, float[1] one = {1}, float[2] two = {1, 2}> {
    [wide] big = ConstantOfShape <value = float[1] {1}> (shape)
    [small] s = Exp (one)
    u = Add (x, big)
    y = Mul (u, s)
  })";

TEST(Budget, WhatFitsIsFolded) {
  ZeroEvaluator zeros;
  const Folded folded = fold(kRows, limited(zeros, 4 * kMiB));
  EXPECT_EQ(folded.nodes, "u = Add(x, big); y = Mul(u, s)");
  EXPECT_EQ(folded.report.growth, 4 * kMiB - 16);
  EXPECT_EQ(folded.report.deferred, 0);
}

TEST(Budget, SmallResultsFirst) {
  ZeroEvaluator zeros;
  const Folded folded = fold(kRows, limited(zeros, 3 * kMiB));
  EXPECT_EQ(folded.nodes, "big = ConstantOfShape(shape); u = Add(x, big); y = Mul(u, s)");
  EXPECT_EQ(folded.report.deferred, 4 * kMiB - 16);
  EXPECT_EQ(folded.refusals(),
            "wide (ConstantOfShape): its result would add 4 MiB to the 0 bytes of growth used so "
            "far, of 3 MiB");
}

// The chain stays as it is written, though its first part alone would fit.
TEST(Budget, ChainsStaySymbolic) {
  ZeroEvaluator zeros;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 16] x) => (float[M, 16] y)
      <float from = {0}, float to = {1000000}, float by = {1}, float[1, 4] row = {1, 2, 3, 4},
       int64[2] times = {1, 4}, int64[1] one = {1}> {
      line = Range (from, to, by)
      column = Unsqueeze (line, one)
      wide = Tile (row, times)
      [product] table = Mul (column, wide)
      y = Add (x, table)
    })",
                             limited(zeros, 16 * kMiB));
  EXPECT_TRUE(zeros.regions.empty());
  EXPECT_EQ(folded.nodes,
            "line = Range(from, to, by); column = Unsqueeze(line, one); table = Mul(column, wide); "
            "y = Add(x, table)");
  EXPECT_THAT(folded.refusals(),
              HasSubstr("product (Mul): its result of 61.04 MiB exceeds the limit"));
  EXPECT_THAT(folded.refusals(), HasSubstr("its consumers cannot be folded"));
}

// Unless their reader shrinks them: then its small result is computed.
TEST(Budget, WhatShrinksIsFolded) {
  ZeroEvaluator zeros;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] y) <float from = {0}, float to = {100000}, float by = {1}> {
      line = Range (from, to, by)
      sum = ReduceMean <axes = [0]> (line)
      y = Add (x, sum)
    })",
                             limited(zeros, 65536));
  EXPECT_EQ(folded.nodes, "y = Add(x, sum)");
}

TEST(Budget, VanishingConstantsPayForResults) {
  ZeroEvaluator zeros;
  Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 2048] x) => (float[N, 2048] y) {
      t = Transpose (w)
      h = Exp (t)
      y = MatMul (x, h)
    })");
  Tensor& weight = *model.graph->nodes()[0]->inputs()[0];
  weight.to_constant(owned_payload(Array::zeros(DataType::kFloat32, {2048, 2048})));
  model.graph->mutable_initializers().emplace_back(&weight);
  const Folded folded = fold(std::move(model), limited(zeros, 0));
  EXPECT_EQ(folded.nodes, "y = MatMul(x, h)");
  EXPECT_EQ(folded.report.growth, 0);
}

TEST(Budget, UnlimitedFoldsEverything) {
  ZeroEvaluator zeros;
  const Folded folded = fold(kRows, limited(zeros, std::nullopt));
  EXPECT_EQ(folded.nodes, "u = Add(x, big); y = Mul(u, s)");
}

TEST(Budget, MemoryCountsWhatIsOnTheWay) {
  const auto folded_in = [](int64_t bytes) {
    ZeroEvaluator zeros;
    FoldOptions options = limited(zeros, std::nullopt);
    options.memory_limit = bytes;
    options.max_rewrites = 100;  // one sweep: the next one begins with these results
    return fold(R"(
      <ir_version: 8, opset_import: ["" : 17]>
      g (float[1] x) => (float[1] y) <float[1] a = {1}, int64[1] shape = {1048576}> {
        e = Exp (a)
        [wide] big = Expand (e, shape)
        m = ReduceMean <axes = [0]> (big)
        y = Add (x, m)
      })",
                options);
  };
  EXPECT_EQ(folded_in(4 * kMiB + 8).nodes, "y = Add(x, m)");
  const Folded folded = folded_in(3 * kMiB);
  EXPECT_EQ(folded.nodes, "big = Expand(e, shape); m = ReduceMean(big); y = Add(x, m)");
  EXPECT_THAT(folded.refusals(), HasSubstr("wide (Expand): it would take 4 MiB of memory, in "
                                           "addition to 4 bytes so far, of 3 MiB"));
  EXPECT_TRUE(folded.report.refusals[0].for_memory);
  EXPECT_EQ(folded.report.deferred, 0);
}

TEST(Budget, MemoryIsNotRisked) {
  ZeroEvaluator zeros;
  FoldOptions options = limited(zeros, std::nullopt);
  options.memory_limit = 64 * kMiB;
  options.max_rewrites = 100;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[M] y) <float[1] a = {1}> {
      e = Exp (a)
      i = Cast <to = 7> (e)
      [any] big = Expand (e, i)
      y = Add (x, big)
    })",
                             options);
  EXPECT_EQ(folded.refusals(),
            "any (Expand): the size of its result is unknown before its computation");
}

TEST(Budget, TheThresholdKeepsLargeResultsAndFoldsBehindThem) {
  ZeroEvaluator zeros;
  FoldOptions options = limited(zeros, std::nullopt);
  options.size_threshold = 1000;
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1000] y, float[1] z) <float[1] one = {1}, int64[1] shape = {1000}> {
      e = Exp (one)
      [large] big = Expand (e, shape)
      m = ReduceMean <axes = [0]> (big)
      y = Add (x, big)
      z = Add (x, m)
    })",
                             options);
  EXPECT_EQ(folded.nodes, "big = Expand(e, shape); y = Add(x, big); z = Add(x, m)");
  EXPECT_THAT(folded.refusals(),
              HasSubstr("large (Expand): its result of 3.906 KiB is larger than the threshold of "
                        "1000 bytes"));
}

}  // namespace
}  // namespace graphsurgeon
