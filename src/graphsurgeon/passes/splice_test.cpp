#include "graphsurgeon/passes/splice.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;

TEST(Splice, ABranchInPlaceOfItsIf) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool b, float[2] x) => (float[2] z) {
      a = Neg(x)
      y = If(b) <then_branch = t () => (float[2] s) <float[2] w = {1, 2}> { r = Sin(a) s = Mul(r, w) },
                 else_branch = e () => (float[2] r) { r = Cos(a) }>
      z = Relu(y)
    })");
  Graph& graph = *model.graph;
  const NodeRef node = graph.nodes()[1];
  const GraphRef branch = node->subgraphs()[0];
  splice(graph, graph, 1, *branch, {.results = node->outputs().snapshot()});
  const std::string text = to_onnx_text(model);
  EXPECT_THAT(text, HasSubstr("r = Sin (a)"));
  EXPECT_THAT(text, HasSubstr("y = Mul (r, w)"));
  EXPECT_THAT(text, HasSubstr("z = Relu (y)"));
  check_model(model);
}

TEST(Splice, WhatTheBodyDoesNotMakeComesThroughAnIdentity) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (int64 n, bool c, float[2] x) => (float[2] y, float[2] z) {
      y, z = Loop(n, c, x, x) <body = b (int64 i, bool d, float[2] p, float[2] q)
                                => (bool d, float[2] q, float[2] q) { }>
    })");
  Graph& graph = *model.graph;
  const NodeRef node = graph.nodes()[0];
  const GraphRef body = node->subgraphs()[0];
  const TensorRef x = graph.inputs()[2];
  splice(graph, graph, 0, *body,
         {.arguments = {graph.inputs()[0], graph.inputs()[1], x, x},
          .results = {nullptr, node->outputs()[0], node->outputs()[1]}});
  const std::string text = to_onnx_text(model);
  EXPECT_THAT(text, HasSubstr("y = Identity (x)"));
  EXPECT_THAT(text, HasSubstr("z = Identity (x)"));
  check_model(model);
}

TEST(Splice, NamesThatAreTakenChange) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool b, float[2] x) => (float[2] y, float[2] r) {
      y = If(b) <then_branch = t () => (float[2] s) { q = Sin(x) s = Neg(q) },
                 else_branch = e () => (float[2] q) { q = Cos(x) }>
      r = Relu(y)
    })");
  Graph& graph = *model.graph;
  const NodeRef node = graph.nodes()[0];
  const GraphRef branch = node->subgraphs()[0];
  branch->nodes()[0]->outputs()[0]->set_name("r");
  splice(graph, graph, 0, *branch, {.results = node->outputs().snapshot()});
  EXPECT_THAT(to_onnx_text(model), HasSubstr("r_1 = Sin (x)"));
  check_model(model);
}

}  // namespace
}  // namespace graphsurgeon
