#include "graphsurgeon/fold/fold_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/progress.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::HasSubstr;

constexpr std::string_view kShapes = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2,3,4] x) => (float[2,12] y) {
  [k] zero = Constant <value = int64[1] {0}> ()
  [m] minus = Constant <value = int64[1] {-1}> ()
  [s] s = Shape (x)
  [b] batch = Gather (s, zero)
  [c] shape = Concat <axis = 0> (batch, minus)
  [r] y = Reshape (x, shape)
})";

// 64 MiB out of a few bytes.
constexpr std::string_view kFill = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4096] x) => (float[4096,4096] y) {
  [k] shape = Constant <value = int64[2] {4096, 4096}> ()
  [f] fill = ConstantOfShape (shape)
  [a] y = Add (x, fill)
})";

struct Folded {
  Model model;
  FoldedPasses passes;
};

Folded fold(std::string_view text, const FoldPassesOptions& options = {}) {
  Folded folded{parse_onnx_text(text), {}};
  polygraphy::Logger silent;
  folded.passes = fold_to_fixed_point(folded.model, options, silent);
  return folded;
}

TEST(FoldPasses, UntilTheNumberOfNodesStays) {
  std::vector<std::tuple<int64_t, size_t, size_t>> passes;
  std::vector<int64_t> started;
  FoldPassesOptions options;
  options.on_start = [&](int64_t number) { started.push_back(number); };
  options.on_end = [&](const FoldPass& pass) {
    passes.emplace_back(pass.number, pass.nodes_before, pass.nodes_after);
  };
  const Folded folded = fold(kShapes, options);
  EXPECT_THAT(passes, ElementsAre(FieldsAre(1, 6, 1), FieldsAre(2, 1, 1)));
  EXPECT_THAT(started, ElementsAre(1, 2));
  EXPECT_EQ(folded.model.graph->nodes().size(), 1u);
}

TEST(FoldPasses, NoMoreThanTheLimit) {
  FoldPassesOptions options;
  int64_t count = 0;
  options.on_end = [&](const FoldPass&) { ++count; };
  options.max_passes = 1;
  EXPECT_EQ(fold(kShapes, options).model.graph->nodes().size(), 1u);
  EXPECT_EQ(count, 1);
  options.max_passes = 0;
  const Folded none = fold(kShapes, options);
  EXPECT_TRUE(none.passes.rewrites.empty());
  EXPECT_EQ(none.model.graph->nodes().size(), 6u);
}

// The body captures an input only for an unused node, which cleanup removes.
TEST(FoldPasses, TheLastOneLeavesNothingToFold) {
  class Ones final : public Evaluator {
   public:
    std::vector<polygraphy::Array> evaluate(
        const Model& model,
        const std::vector<std::pair<std::string, polygraphy::Array>>&) override {
      return std::vector<polygraphy::Array>(model.graph->outputs().size(),
                                            polygraphy::Array::of<float>({2}, {1, 1}));
    }
  };
  Ones evaluator;
  FoldPassesOptions options;
  options.fold.evaluator = &evaluator;
  options.max_passes = 1;
  const Folded folded = fold(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, int64 n = {3}> {
  e = Erf (w)
  l = Loop (n, , w) <body = b (int64 i, bool c, float[2] s) => (bool k, float[2] t) {
    k = Identity (c)
    unused = Neg (x)
    t = Add (s, e)
  }>
  y = Add (x, l)
})",
                             options);
  EXPECT_EQ(folded.model.graph->nodes().size(), 1u);
}

TEST(FoldPasses, ProgressCountsFinishedOnes) {
  int64_t done = 0;
  const polygraphy::ProgressWatch watch([&](std::span<const polygraphy::Progress> phases) {
    if (!phases.empty()) done = phases[0].done;
  });
  std::vector<int64_t> at_start, at_end;
  FoldPassesOptions options;
  options.on_start = [&](int64_t) { at_start.push_back(done); };
  options.on_end = [&](const FoldPass&) { at_end.push_back(done); };
  fold(kShapes, options);
  ASSERT_GT(at_start.size(), 1u);
  for (size_t i = 0; i < at_start.size(); ++i) {
    EXPECT_EQ(at_start[i], static_cast<int64_t>(i));
    EXPECT_EQ(at_end[i], static_cast<int64_t>(i + 1));
  }
}

TEST(FoldPasses, SortsFirst) {
  const Folded folded = fold(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <int64[1] w = {3}> {
  y = Reshape (x, shape)
  shape = Sub (w, one)
  one = Constant <value = int64[1] {1}> ()
})");
  EXPECT_EQ(folded.model.graph->nodes().size(), 1u);
}

TEST(FoldPasses, TheBudgetHoldsForAllPasses) {
  const Folded folded = fold(kFill);
  EXPECT_EQ(folded.model.graph->nodes().size(), 2u);
  // The result takes 64 MiB, and the shape that it is made of goes: two numbers of 8 bytes.
  EXPECT_EQ(folded.passes.deferred, (int64_t{64} << 20) - 16);
  FoldPassesOptions unlimited;
  unlimited.fold.max_growth = std::nullopt;
  const Folded all = fold(kFill, unlimited);
  EXPECT_EQ(all.model.graph->nodes().size(), 1u);
  EXPECT_EQ(all.passes.deferred, 0);
}

TEST(FoldPasses, RewritesAreCountedOverAllPasses) {
  const size_t all = fold(kShapes).passes.rewrites.size();
  for (const int64_t limit : {0, 1, 3}) {
    FoldPassesOptions options;
    options.fold.max_rewrites = limit;
    EXPECT_EQ(fold(kShapes, options).passes.rewrites.size(), std::min<size_t>(limit, all));
  }
}

class Broken final : public Evaluator {
 public:
  std::vector<polygraphy::Array> evaluate(
      const Model&, const std::vector<std::pair<std::string, polygraphy::Array>>&) override {
    return {};
  }
};

TEST(FoldPasses, AnErrorEndsThemOrIsThrown) {
  constexpr std::string_view kErf = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
  e = Erf (w)
  y = Add (x, e)
})";
  Broken broken;
  FoldPassesOptions options;
  options.fold.evaluator = &broken;
  const Folded folded = fold(kErf, options);
  EXPECT_EQ(folded.model.graph->nodes().size(), 2u);
  ASSERT_TRUE(folded.passes.failure);
  EXPECT_THAT(*folded.passes.failure, HasSubstr("returned 0 tensors instead of 1"));
  options.fold.error_ok = false;
  EXPECT_THROW(fold(kErf, options), polygraphy::Error);
}

TEST(FoldPasses, RulesThatDoNotExist) {
  FoldPassesOptions options;
  options.fold.skip_rules = {"no-such-rule"};
  EXPECT_THROW(fold(kShapes, options), polygraphy::Error);
}

}  // namespace
}  // namespace graphsurgeon
