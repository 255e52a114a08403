#include "polygraphy/diagnosis/reduce/intermediates/bottleneck.h"

#include <gtest/gtest.h>

#include <string>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

std::string bottleneck(const std::string& graph) {
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text("<ir_version: 8, opset_import: [\"\": 17]> " + graph);
  const graphsurgeon::TensorRef found = bottleneck_of(model);
  return found ? std::string(found->name()) : "none";
}

TEST(Bottleneck, IsTheLastTensorThatEverythingPasses) {
  EXPECT_EQ(bottleneck(R"(g (float[2] x) => (float[2] y)
                     { a = Relu(x) b = Neg(a) c = Sin(b) d = Cos(b) y = Add(c, d) })"),
            "b");
  EXPECT_EQ(bottleneck("g (float[2] x) => (float[2] y) { a = Relu(x) b = Neg(a) y = Sin(b) }"),
            "b");
}

TEST(Bottleneck, LiesBeforeAllOutputs) {
  EXPECT_EQ(bottleneck(R"(g (float[2] x) => (float[2] y, float[2] z)
                     { a = Relu(x) y = Neg(a) b = Sin(a) z = Cos(b) })"),
            "a");
  EXPECT_EQ(bottleneck("g (float[2] x) => (float[2] y, float[2] z) { y = Neg(x) z = Cos(y) }"),
            "none");
}

TEST(Bottleneck, MindsWhatComesPast) {
  EXPECT_EQ(bottleneck(R"(g (float[2] x) => (float[2] y)
                     { a = Relu(x) b = Neg(a) c = Sin(b) y = Add(c, a) })"),
            "a");
  EXPECT_EQ(bottleneck(R"(g (float[2] x, float[2] z) => (float[2] y)
                     { a = Relu(x) b = Neg(z) y = Add(a, b) })"),
            "none");
  EXPECT_EQ(bottleneck(R"(g (float[2] x, bool c) => (float[2] y)
                     { a = Relu(x) b = Neg(a) y = If (c) <
                         then_branch = t () => (float[2] p) { p = Sin(a) },
                         else_branch = e () => (float[2] q) { q = Cos(b) }> })"),
            "none");
}

TEST(Bottleneck, DoesNotMindWhatIsMadeOfWeights) {
  EXPECT_EQ(bottleneck(R"(g (float[2] x) => (float[2] y) <float[2] w = {1, 2}>
                     { v = Neg(w) a = Relu(x) y = Add(a, v) })"),
            "a");
}

}  // namespace
}  // namespace polygraphy
