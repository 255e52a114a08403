#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(Reshape, ZeroKeepsAndMinusOneInfers) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (float[2, 3] y, float[3, 2] z) <float[2, 3, 1] x = {1, 2, 3, 4, 5, 6}, int64[2] a = {0, -1}, int64[2] b = {3, 2}> {
      y = Reshape (x, a)
      z = Reshape (x, b)
    })");
  EXPECT_EQ(folded.constant("y"), "float32[2,3]{1,2,3,4,5,6}");
  EXPECT_EQ(folded.constant("z"), "float32[3,2]{1,2,3,4,5,6}");
}

TEST(Reshape, SqueezeUnsqueezeFlatten) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (float[2] all, float[1, 2] some, float[1, 1, 2, 1] more, float[1, 2] flat, float[2, 1] flat2)
      <float[1, 2, 1] x = {1, 2}, int64[1] last = {-1}, int64[1] first = {0}> {
      all = Squeeze (x)
      some = Squeeze (x, last)
      more = Unsqueeze (x, first)
      flat = Flatten (x)
      flat2 = Flatten <axis = -1> (x)
    })");
  EXPECT_EQ(folded.constant("all"), "float32[2]{1,2}");
  EXPECT_EQ(folded.constant("some"), "float32[1,2]{1,2}");
  EXPECT_EQ(folded.constant("more"), "float32[1,1,2,1]{1,2}");
  EXPECT_EQ(folded.constant("flat"), "float32[1,2]{1,2}");
  EXPECT_EQ(folded.constant("flat2"), "float32[2,1]{1,2}");
}

TEST(Reshape, AxesMayBeAttributes) {
  const Folded folded = fold(R"(
    <ir_version: 4, opset_import: ["" : 11]>
    g () => (float[2] y, float[1, 2, 1, 1] z) <float[2, 1] x = {1, 2}> {
      y = Squeeze <axes = [1]> (x)
      z = Unsqueeze <axes = [0, -1]> (x)
    })");
  EXPECT_EQ(folded.constant("y"), "float32[2]{1,2}");
  EXPECT_EQ(folded.constant("z"), "float32[1,2,1,1]{1,2}");
}

// A weight under another shape costs nothing, however large it is.
TEST(Reshape, SharesTheBytes) {
  Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 4096] x) => (float[N, 4096] y) <int64[2] s = {4096, 4096}> {
      w2 = Reshape (w, s)
      y = MatMul (x, w2)
    })");
  const Array bytes = Array::zeros(DataType::kFloat32, {4096 * 4096});
  Tensor& weight = *model.graph->nodes()[0]->inputs()[0];
  weight.to_constant(owned_payload(bytes));
  model.graph->mutable_initializers().emplace_back(&weight);
  const Folded folded = fold(std::move(model));
  EXPECT_EQ(folded.nodes, "y = MatMul(x, w2)");
  EXPECT_EQ(folded.report.growth, -16);  // the shape is gone
  const auto tensors = folded.model.graph->tensor_map();
  EXPECT_EQ(tensors.at("w2")->payload()->load("w2").data(), bytes.data());
}

// The weight's own user keeps it: a second form would double the file.
TEST(Reshape, OfAWeightThatStaysIsGrowth) {
  Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 4096] x) => (float[N, 4096] y) <int64[2] s = {4096, 4096}> {
      [again] w2 = Reshape (w, s)
      y1 = MatMul (x, w2)
      y2 = Transpose (w)
      y3 = MatMul (y1, y2)
      y = MatMul (y3, w)
    })");
  for (const NodeRef& node : model.graph->nodes()) {
    if (node->op() != "Reshape") continue;
    Tensor& weight = *node->inputs()[0];
    weight.to_constant(owned_payload(Array::zeros(DataType::kFloat32, {4096, 4096})));
    model.graph->mutable_initializers().emplace_back(&weight);
  }
  const Folded folded = fold(std::move(model));
  EXPECT_EQ(folded.report.growth, 0);
  EXPECT_GT(folded.report.deferred, int64_t{64} << 20);
  EXPECT_THAT(folded.refusals(),
              testing::HasSubstr("again (Reshape): its result would add 64 MiB"));
}

}  // namespace
}  // namespace graphsurgeon
