#include "polygraphy/models/candidates/inline_body.h"

#include <gmock/gmock.h>

#include "base/silent_log.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/models/candidates/testdata/names.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;
using testing::HasSubstr;

// Types inside come from outside.
std::string text_of(Model& model) {
  graphsurgeon::infer_shapes(model, {}, log_or_silence(nullptr));
  graphsurgeon::check_model(model, {.shapes = true});
  return graphsurgeon::to_onnx_text(model);
}

const char* const kIf = R"(<ir_version: 8, opset_import: ["": 17]>
  g (bool b, float[2] x) => (float[2] y) {
    y = If(b) <then_branch = t () => (float[2] s) { r = Sin(x) s = Neg(r) },
               else_branch = e () => (float[2] r) { r = Cos(x) }>
  })";

TEST(Unwrap, EitherBranchOfAnIf) {
  Model model = graphsurgeon::parse_onnx_text(kIf);
  EXPECT_EQ(bodies_of(*model.graph->nodes()[0]), 2u);
  EXPECT_TRUE(inline_body(model, *model.graph, 0, 0));
  EXPECT_THAT(ops(model), ElementsAre("Sin", "Neg"));
  EXPECT_FALSE(inline_body(model, *model.graph, 0, 0));
  text_of(model);

  Model other = graphsurgeon::parse_onnx_text(kIf);
  EXPECT_TRUE(inline_body(other, *other.graph, 0, 1));
  EXPECT_THAT(ops(other), ElementsAre("Cos"));
  text_of(other);
}

TEST(Unwrap, TheFirstIterationOfALoop) {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (int64 n, float[2] x) => (float[1, 2] z, float[1, 2] all) {
      y, all, more = Loop(n, , x) <body = b (int64 i, bool d, float[2] v) =>
          (bool d2, float[2] w, float[2] u, float[2] t) {
        d2 = Identity(d)  w = Sin(v)  u = Neg(w)  t = Exp(w)
      }>
      m = ReduceSum(more)
      z = Add(y, m)
    })");
  EXPECT_TRUE(inline_body(model, *model.graph, 0, 0));
  EXPECT_THAT(ops(model),
              ElementsAre("Identity", "Sin", "Neg", "Exp", "Unsqueeze", "ReduceSum", "Add"));
  model.graph->outputs()[1]->set_shape(graphsurgeon::DimList{2});
  const std::string text = text_of(model);
  EXPECT_THAT(text, HasSubstr("y = Sin (x)"));
  EXPECT_THAT(text, HasSubstr("all = Neg (y)"));
}

TEST(Unwrap, TheLastIterationOfALoopBehindTheOthers) {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool c, float[2] x) => (float[2] y) <int64 n = {7}> {
      k = Neg(x)
      y = Loop(n, c, x) <body = b (int64 i, bool d, float[2] v) => (bool d, float[2] w) { w = Add(v, k) }>
    })");
  EXPECT_TRUE(inline_last_iteration(model, *model.graph, 1, 4));
  EXPECT_THAT(ops(model), ElementsAre("Neg", "Loop", "Add"));
  const std::string text = text_of(model);
  EXPECT_THAT(text, HasSubstr("y = Add (before_last_of_y, k)"));
  EXPECT_THAT(text, HasSubstr("w = Add (v, k)"));
  EXPECT_EQ(model.graph->nodes()[1]->inputs()[0]->values().get_int64(0), 3);
}

// A collecting output has the value of the last iteration, if no node reads it.
TEST(Unwrap, TheLastIterationOfALoopThatCollectsValues) {
  const auto loop = [](const std::string& result) {
    return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (bool c, float[2] x) => (float[2] y, float[7, 2] )" +
                                         result + R"() <int64 n = {7}> {
        y, all = Loop(n, c, x) <body = b (int64 i, bool d, float[2] v)
            => (bool d, float[2] w, float[2] s) { s = Sin(v)  w = Neg(s) }>
        z = Abs(all)
      })");
  };
  Model model = loop("all");
  model.graph->mutable_nodes().pop_back();
  for (const auto& reader : model.graph->nodes()[0]->outputs()[1]->consumers().snapshot())
    reader->inputs().clear();
  EXPECT_TRUE(inline_last_iteration(model, *model.graph, 0, 4));
  EXPECT_THAT(ops(model), ElementsAre("Loop", "Sin", "Neg"));
  EXPECT_THAT(text_of(model), HasSubstr("all = Sin (before_last_of_y)"));
  Model read = loop("z");
  EXPECT_FALSE(inline_last_iteration(read, *read.graph, 0, 4));
}

TEST(Unwrap, NewNamesAreFree) {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
  g (int64 n, bool c, float[2] x) => (float[2] z) {
    iteration_of_y = Neg(x)
    y = Loop(n, c, x) <body = b (int64 i, bool d, float[2] p) => (bool d, float[2] q) {
      f = Cast<to = 1>(i)
      q = Add(p, f)
    }>
    z = Add(y, iteration_of_y)
  })");
  EXPECT_TRUE(inline_body(model, *model.graph, 1, 0));
  EXPECT_THAT(text_of(model), HasSubstr("Cast <to: int = 1> (iteration_of_y_1)"));
}

TEST(Unwrap, TheFirstSlicesOfAScan) {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x, float[3, 5, 2] xs) => (float[2] y, float[2] zs) {
      y, zs = Scan<num_scan_inputs = 1, scan_input_axes = [1], scan_input_directions = [1],
                   body = b (float[2] v, float[3, 2] s) => (float[2] w, float[2] t) {
        r = ReduceMax<axes = [0], keepdims = 0>(s)  w = Add(v, r)  t = Neg(w)
      }>(x, xs)
    })");
  EXPECT_TRUE(inline_body(model, *model.graph, 0, 0));
  EXPECT_THAT(ops(model), ElementsAre("Gather", "ReduceMax", "Add", "Neg"));
  EXPECT_THAT(text_of(model), HasSubstr("Gather <axis: int = 1> (xs"));
}

TEST(Unwrap, WhatIsCollectedOfOneIterationIsSmallerAndSoIsAllThatIsMadeOfIt) {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x, float[3, 2] xs) => (float[2] y, float[3, 2] q) <float[3, 2] zs, float[3, 2] p> {
      y, zs = Scan<num_scan_inputs = 1, body = b (float[2] v, float[2] s) => (float[2] w, float[2] t) {
        w = Add(v, s)  t = Neg(w)
      }>(x, xs)
      p = Sin(zs)
      q = Cos(p)
    })");
  EXPECT_TRUE(inline_body(model, *model.graph, 0, 0));
  const std::string text = text_of(model);
  EXPECT_THAT(text, HasSubstr("float[1,2] q"));
  EXPECT_THAT(text, HasSubstr("float[1,2] p"));
}

TEST(Unwrap, NestedOnes) {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool b, int64 n, float[2] x) => (float[2] y) {
      y = If(b) <then_branch = t () => (float[2] s) {
                   s = Loop(n, b, x) <body = l (int64 i, bool d, float[2] v) => (bool d, float[2] w) { w = Sin(v) }> },
                 else_branch = e () => (float[2] r) { r = Cos(x) }>
    })");
  const auto branch = model.graph->nodes()[0]->subgraphs()[0];
  EXPECT_TRUE(inline_body(model, *branch, 0, 0));
  EXPECT_EQ(branch->nodes()[0]->op(), "Sin");
  EXPECT_TRUE(inline_body(model, *model.graph, 0, 0));
  EXPECT_THAT(ops(model), ElementsAre("Sin"));
  text_of(model);
}

}  // namespace
}  // namespace polygraphy
