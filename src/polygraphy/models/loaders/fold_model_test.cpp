#include "polygraphy/models/loaders/fold_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::FoldOptions;
using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

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

class FoldModel : public testing::Test {
 protected:
  FoldModel() {
    log_.set_sink([this](Severity, std::string_view text) { lines_.emplace_back(text); });
  }
  std::vector<graphsurgeon::Rewrite> fold(Model& model, const FoldOptions& options = {},
                                          int64_t passes = 10) {
    return fold_model(model, {options, passes, "Advice."}, log_);
  }

  std::vector<std::string> lines_;
  Logger log_;
};

TEST_F(FoldModel, SaysWhatEachPassDid) {
  Model model = parse_onnx_text(kShapes);
  fold(model);
  EXPECT_THAT(lines_,
              ElementsAre("[I] Folding Constants | Pass 1",
                          "[I]     Total Nodes | Original:     6, After Folding:     1 |     5 "
                          "Nodes Folded",
                          "[I] Folding Constants | Pass 2",
                          "[I]     Total Nodes | Original:     1, After Folding:     1 |     0 "
                          "Nodes Folded"));
}

TEST_F(FoldModel, NoMorePassesThanAskedFor) {
  Model model = parse_onnx_text(kShapes);
  fold(model, {}, 1);
  EXPECT_EQ(lines_.size(), 2u);
  lines_.clear();
  Model other = parse_onnx_text(kShapes);
  EXPECT_TRUE(fold(other, {}, 0).empty());
  EXPECT_TRUE(lines_.empty());
  EXPECT_EQ(other.graph->nodes().size(), 6u);
}

TEST_F(FoldModel, TheBudgetPutsOffWhatWouldBloatTheFile) {
  log_.set_severity(Severity::kVerbose);
  Model model = parse_onnx_text(kFill);
  fold(model);
  EXPECT_EQ(model.graph->nodes().size(), 2u);
  EXPECT_THAT(lines_, Contains(StartsWith("[V] Not folded: f (ConstantOfShape), 64 MiB: ")));
  std::vector<std::string> warnings;
  for (const std::string& line : lines_) {
    if (line.starts_with("[W]")) warnings.push_back(line);
  }
  EXPECT_THAT(warnings, ElementsAre(testing::AllOf(HasSubstr("another 64 MiB"),
                                                   HasSubstr("the limit is 16 MiB"),
                                                   testing::EndsWith(" Advice."))));
}

TEST_F(FoldModel, WithoutABudgetItWarnsOfWhatGotLarge) {
  FoldOptions options;
  options.max_growth = std::nullopt;
  Model model = parse_onnx_text(kFill);
  fold(model, options);
  EXPECT_EQ(model.graph->nodes().size(), 1u);
  EXPECT_THAT(lines_, Contains(HasSubstr("'fill': '64 MiB'")));
}

TEST_F(FoldModel, NodesThatFindNoMemoryAreNamed) {
  Model model = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
  [curve] e = Erf (w)
  y = Add (x, e)
})");
  FoldOptions options;
  options.memory_limit = 4;
  fold(model, options);
  EXPECT_EQ(model.graph->nodes().size(), 2u);
  EXPECT_THAT(lines_,
              Contains(StartsWith("[W] 1 node was not folded for want of memory, of which folding "
                                  "may take 4 bytes: 'curve' (Erf)\n")));
}

// Returns nothing, which is an error of the evaluator itself.
class Broken final : public graphsurgeon::Evaluator {
 public:
  std::vector<Array> evaluate(const Model&,
                              const std::vector<std::pair<std::string, Array>>&) override {
    return {};
  }
};

TEST_F(FoldModel, APassThatFailsIsTheLast) {
  Model model = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
  e = Erf (w)
  y = Add (x, e)
})");
  Broken broken;
  FoldOptions options;
  options.evaluator = &broken;
  fold(model, options);
  EXPECT_EQ(model.graph->nodes().size(), 2u);
  EXPECT_THAT(lines_.back(),
              testing::AllOf(HasSubstr("Constant folding pass failed. Skipping "
                                       "subsequent passes."),
                             HasSubstr("the evaluator returned 0 tensors instead of 1")));
}

size_t count(const graphsurgeon::Graph& graph, std::string_view op) {
  size_t found = 0;
  for (const auto& node : graph.nodes()) {
    found += node->op() == op;
    for (const auto& inner : node->subgraphs()) found += count(*inner, op);
  }
  return found;
}

// A branch for other inputs than these: the result of its inner If has a rank that Gemm does not
// take, which runtimes see as soon as the If is gone.
TEST_F(FoldModel, ABranchThatCannotRunStaysAsItIs) {
  Model model = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2,4] x, bool c) => (float[A,B] y) {
  [outer] y = If (c) <
    then_branch = good () => (float[E,F] p) <bool yes = {1}> {
      [a] z = If (yes) <
        then_branch = t () => (float[I,J] q) { q = Neg (x) },
        else_branch = e () => (float[K,L,M] r) <int64[1] at = {0}> { r = Unsqueeze (x, at) }
      >
      [product] p = Gemm <transB = 1> (z, z)
    },
    else_branch = bad () => (float[G,H] s) <bool no = {0}> {
      [b] w = If (no) <
        then_branch = tt () => (float[I,J] q) { q = Neg (x) },
        else_branch = ee () => (float[K,L,M] r) <int64[1] at = {0}> { r = Unsqueeze (x, at) }
      >
      [wrong] s = Gemm <transB = 1> (w, w)
    }
  >
})");
  fold(model);
  Logger silent;
  EXPECT_THAT(graphsurgeon::infer_shapes(model, {}, silent).problems, testing::IsEmpty());
  EXPECT_EQ(count(*model.graph, "If"), 2u) << "the outer one and that of the bad branch";
  EXPECT_THAT(lines_, Contains(HasSubstr("'else_branch' of the node with output 'y'")));
}

TEST_F(FoldModel, WhatContradictedItselfBeforeIsFoldedAllTheSame) {
  Model model = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2,4] x, bool c) => (float[A,B] y) {
  y = If (c) <
    then_branch = good () => (float[E,F] p) { p = Neg (x) },
    else_branch = bad () => (float[G,H] s) <bool no = {0}> {
      [wrong] v = Transpose <perm = [2, 1, 0]> (x)
      s = If (no) <
        then_branch = tt () => (float[I,J] q) { q = Neg (v) },
        else_branch = ee () => (float[K,L] r) { r = Abs (v) }
      >
    }
  >
})");
  fold(model);
  EXPECT_EQ(count(*model.graph, "If"), 1u);
  EXPECT_THAT(lines_, testing::Not(Contains(HasSubstr("again"))));
}

}  // namespace
}  // namespace polygraphy
