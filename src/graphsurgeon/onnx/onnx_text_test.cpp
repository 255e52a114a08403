#include "graphsurgeon/onnx/onnx_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;

TEST(OnnxText, BecomesAModel) {
  const Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 17, "com.example" : 2], producer_name: "test">
    chain (float[N, 3] x) => (float[N, 3] z) <float[3] bias = {1, 2, 3.5}> {
      [first] y = Add (x, bias)
      z = com.example.Twist <axis = 1, mode = "left"> (y, "")
    })");
  EXPECT_EQ(model.ir_version, 8);
  EXPECT_EQ(model.opset(), 17);
  EXPECT_EQ(model.producer_name, "test");
  const Graph& graph = *model.graph;
  EXPECT_EQ(graph.name(), "chain");
  ASSERT_EQ(graph.nodes().size(), 2u);
  EXPECT_EQ(graph.nodes()[0]->name(), "first");
  EXPECT_EQ(graph.nodes()[0]->inputs()[1], graph.initializers()[0].get());
  EXPECT_EQ(graph.nodes()[1]->domain(), "com.example");
  EXPECT_EQ(graph.nodes()[1]->attribute("mode")->as_string(), "left");
  EXPECT_TRUE(graph.nodes()[1]->inputs()[1]->is_empty());
  EXPECT_EQ(graph.initializers()[0]->payload()->load("bias").get_double(2), 3.5);
  EXPECT_EQ(graph.inputs()[0]->shape(), (DimList{"N", 3}));
}

TEST(OnnxText, VersionsMayBeLeftOut) {
  const Model model = parse_onnx_text("g (float x) => (float y) { y = Relu (x) }");
  EXPECT_EQ(model.ir_version, 10);
  EXPECT_EQ(model.opset(), 20);
}

TEST(OnnxText, HasFunctionsAndSubgraphs) {
  const Model model = parse_onnx_text(R"(
    <ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (bool c, float[2] x) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] a) { a = local.Twice (x) },
                  else_branch = e () => (float[2] b) { b = Neg (x) }>
    }
    <domain: "local", opset_import: ["" : 20]>
    Twice (v) => (w) { w = Add (v, v) })");
  ASSERT_EQ(model.functions.size(), 1u);
  EXPECT_EQ(model.functions[0]->name(), "Twice");
  const auto branches = model.graph->nodes()[0]->subgraphs();
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[1]->nodes()[0]->inputs()[0], model.graph->inputs()[1].get());
}

TEST(OnnxText, ComesBackFromAModel) {
  const std::string text = to_onnx_text(parse_onnx_text(R"(
    g (float[N] x) => (float[N] z) <float[2] w = {1, -2}> { y = Mul (x, w) z = Relu (y) })"));
  EXPECT_THAT(text, HasSubstr("y = Mul (x, w)"));
  EXPECT_THAT(text, HasSubstr("float[2] w =  {1,-2}"));
  EXPECT_EQ(to_onnx_text(parse_onnx_text(text)), text);
}

TEST(OnnxText, LargeValuesStayOut) {
  Model model = parse_onnx_text("g (float[1000] x) => (float[1000] y) { y = Add (x, w) }");
  Store& store = model.graph->store();
  const TensorRef weight =
      Tensor::constant(store, "w", owned_payload(Array::zeros(DataType::kFloat32, {1000})));
  model.graph->nodes()[0]->inputs().set(1, weight);
  model.graph->mutable_initializers().push_back(weight);
  EXPECT_THAT(to_onnx_text(model), HasSubstr("\"location\": \"#stripped\""));
}

TEST(OnnxText, ErrorsSayWhereAndWhat) {
  try {
    parse_onnx_text("g (float x) => (float y) { y = Relu x }");
    FAIL() << "no error";
  } catch (const polygraphy::FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("ONNX text: "));
    EXPECT_THAT(error.what(), HasSubstr("line: 2"));
  }
}

}  // namespace
}  // namespace graphsurgeon
