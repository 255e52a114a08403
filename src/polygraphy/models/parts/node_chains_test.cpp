#include "polygraphy/models/parts/node_chains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

std::vector<NodePart> chains(const std::string& body) {
  return node_chains(
      *graphsurgeon::parse_onnx_text((R"(<ir_version: 8, opset_import: ["": 17, "com.microsoft": 1]>
    g (float[2, 2] x, float[2, 2] z) => (float[2, 2] y) <float[2, 2] w = {1, 2, 3, 4}> {)" +
                                      body + "}")
                                         .c_str())
           .graph);
}

TEST(NodeChains, WhatFollowsAMultiplication) {
  EXPECT_THAT(chains("a = MatMul(x, w) b = Add(a, z) c = Relu(b) d = MatMul(c, w) y = Tanh(d)"),
              ElementsAre(NodePart{0, 1, 2}, NodePart{3, 4}));
  EXPECT_THAT(chains("a = Relu(x) b = com.microsoft.FusedMatMul(a, w) y = Tanh(b)"),
              ElementsAre(NodePart{0}, NodePart{1, 2}));
}

TEST(NodeChains, BranchesEndThem) {
  EXPECT_THAT(chains("a = MatMul(x, w) b = Relu(a) c = Tanh(a) y = Add(b, c)"),
              ElementsAre(NodePart{0}, NodePart{1, 3}, NodePart{2}));
}

TEST(NodeChains, WhatIsDequantizedBelongsToItsReader) {
  EXPECT_THAT(chains(R"(
      s = Constant<value = float {0.1}>() a = QuantizeLinear(x, s) b = DequantizeLinear(a, s)
      c = QuantizeLinear(z, s) d = DequantizeLinear(c, s) y = MatMul(b, d))"),
              ElementsAre(NodePart{0}, NodePart{1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace polygraphy
