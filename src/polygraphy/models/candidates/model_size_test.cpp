#include "polygraphy/models/candidates/model_size.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

ModelSize size_of(const std::string& text) {
  return model_size(graphsurgeon::parse_onnx_text(text));
}

TEST(ModelSize, CountsNodesOfAllGraphsAndFunctions) {
  const ModelSize size = size_of(R"(<ir_version: 8, opset_import: ["": 17, "local": 1]>
    g (float[2, 3] x, bool c) => (float[2, 3] y) <float[3] w = {1, 2, 3}> {
      a = local.F (x)
      y = If (c) <
        then_branch = t () => (float[2, 3] u) { u = Add (a, w) },
        else_branch = e () => (float[2, 3] v) { v = Transpose <perm = [0, 1]> (a) }>
    }
    <domain: "local", opset_import: ["": 17]> F (p) => (q) { r = Relu (p) q = Neg (r) })");
  EXPECT_EQ(size, (ModelSize{.nodes = 6, .inputs = 3, .attributes = 1, .elements = 10}));
}

TEST(ModelSize, OfUnknownShapesTheOpenDimensionsCount) {
  const ModelSize size = size_of(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[N, 3] x, float z) => (float[N, 3] y) { y = Add (x, z) })");
  EXPECT_EQ(size, (ModelSize{.nodes = 1, .inputs = 3, .attributes = 0, .open = 1, .elements = 1}));
}

TEST(ModelSize, NodesCountMost) {
  EXPECT_LT((ModelSize{.nodes = 1, .elements = 1000}), (ModelSize{.nodes = 2, .elements = 1}));
}

}  // namespace
}  // namespace polygraphy
