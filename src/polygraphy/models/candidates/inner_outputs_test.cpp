#include "polygraphy/models/candidates/inner_outputs.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;

Model with_shapes(const std::string& text) {
  Model model = graphsurgeon::parse_onnx_text("<ir_version: 8, opset_import: [\"\": 17]> " + text);
  Logger silent;
  graphsurgeon::infer_shapes(model, {}, silent);
  return model;
}

std::vector<std::string> outputs_of(const Model& model, size_t node) {
  graphsurgeon::check_model(model, {.shapes = true});
  std::vector<std::string> names;
  for (const auto* output : model.graph->nodes()[node]->outputs())
    names.emplace_back(output->name());
  return names;
}

TEST(InnerOutputs, OfALoopWithAllIterations) {
  Model model = with_shapes(R"(g (bool c, float[2] x) => (float[2] y) <int64 n = {3}> {
      y = Loop(n, c, x) <body = b (int64 i, bool go, float[2] v) => (bool go_on, float[2] w) {
        go_on = Identity(go)  p = Neg(v)  w = Sin(p)
      }>
    })");
  EXPECT_TRUE(hand_out_inner_tensors(model));
  EXPECT_THAT(outputs_of(model, 0), ElementsAre("y", "y/body/go_on", "y/body/p", "y/body/w"));
  const auto shape = model.graph->nodes()[0]->outputs()[2]->shape();
  EXPECT_EQ(*shape, (graphsurgeon::DimList{3, 2}));
}

TEST(InnerOutputs, OfAnIfWithZerosForTheOtherBranch) {
  Model model = with_shapes(R"(g (bool c, float[2] x) => (float[2] y) {
      y = If(c) <then_branch = t () => (float[2] s) { p = Neg(x)  s = Sin(p) },
                 else_branch = e () => (float[2] r) { r = Cos(x) }>
    })");
  EXPECT_TRUE(hand_out_inner_tensors(model));
  EXPECT_THAT(outputs_of(model, 0),
              ElementsAre("y", "y/then_branch/p", "y/then_branch/s", "y/else_branch/r"));
}

TEST(InnerOutputs, WhatIsNestedComesBeforeTheNodesOwnResults) {
  Model model = with_shapes(R"(g (bool c, float[2] x, float[4, 2] xs) => (float[2] y) {
      y = Scan <num_scan_inputs = 1, scan_input_axes = [0],
                body = b (float[2] v, float[2] s) => (float[2] w) {
        u = Add(v, s)
        w = If(c) <then_branch = t () => (float[2] p) { p = Neg(u) },
                   else_branch = e () => (float[2] q) { q = Cos(u) }>
      }>(x, xs)
    })");
  EXPECT_TRUE(hand_out_inner_tensors(model));
  EXPECT_THAT(outputs_of(model, 0), ElementsAre("y", "y/body/u", "y/body/w/then_branch/p",
                                                "y/body/w/else_branch/q", "y/body/w"));
}

TEST(InnerOutputs, NothingIsHandedOutOfUnknownShape) {
  Model model = with_shapes(R"(g (bool c, int64 n, float[N] x) => (float[M] y) {
      y = Loop(n, c, x) <body = b (int64 i, bool go, float[P] v) => (bool go, float[Q] w) {
        w = Sin(v)
      }>
    })");
  EXPECT_FALSE(hand_out_inner_tensors(model));
  EXPECT_THAT(outputs_of(model, 0), ElementsAre("y"));
}

TEST(InnerOutputs, ShapesOfStatesCanBeAssumedToStayAtAnyDepth) {
  Model model = with_shapes(R"(g (bool c, int64 n, float[2] x) => (float[M] y) {
      y = Loop(n, c, x) <body = b (int64 i, bool go, float[P] v) => (bool go, float[Q] w) {
        u = Sin(v)
        w = Loop(n, c, u) <body = d (int64 k, bool on, float[R] p) => (bool on, float[S] q) {
          q = Cos(p)
        }>
      }>
    })");
  EXPECT_TRUE(hand_out_inner_tensors(model, LoopStates::kAssumed));
  // How many values the inner loop collects is not known in the outer one.
  EXPECT_THAT(outputs_of(model, 0), ElementsAre("y", "y/body/u", "y/body/w"));
}

TEST(InnerOutputs, OfLoopsInLoops) {
  Model model = with_shapes(R"(g (bool c, float[2] x) => (float[M] y) <int64 n = {4}> {
      y = Loop(n, c, x) <body = b (int64 i, bool go, float[P] v) => (bool go, float[Q] w) {
        u = Sin(v)
        w = Loop(n, c, u) <body = d (int64 k, bool on, float[R] p) => (bool on, float[S] q) {
          q = Cos(p)
        }>
      }>
    })");
  EXPECT_TRUE(hand_out_inner_tensors(model, LoopStates::kAssumed));
  EXPECT_THAT(outputs_of(model, 0), ElementsAre("y", "y/body/u", "y/body/w/body/q", "y/body/w"));
}

TEST(InnerOutputs, ThereIsNothingInsideOfAChain) {
  Model model = with_shapes("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  EXPECT_FALSE(hand_out_inner_tensors(model));
}

}  // namespace
}  // namespace polygraphy
