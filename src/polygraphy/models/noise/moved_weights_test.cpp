#include "polygraphy/models/noise/moved_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

Model parse(const std::string& text) {
  return graphsurgeon::parse_onnx_text(
      ("<ir_version: 10, opset_import: [\"\": 21, \"com.microsoft\": 1]> g (float[1, 2] x) => "
       "(float[1, 2] y) " +
       text)
          .c_str());
}

const char* const kQuantized = R"(<int8[2, 2] w = {1, 2, 3, 4}, float s = {0.5}> {
  d = DequantizeLinear(w, s) y = MatMul(x, d) })";

// The only floating-point constant of four numbers.
std::vector<float> weights_of(const Model& model) {
  for (const auto& tensor : model.graph->initializers()) {
    if (tensor->dtype() != DataType::kFloat32 || tensor->payload()->size() != 4) continue;
    const Array values = tensor->payload()->load(tensor->name());
    return {values.as<float>().begin(), values.as<float>().end()};
  }
  return {};
}

TEST(MovedWeights, LieWithinHalfAStep) {
  const Model model = parse(kQuantized);
  EXPECT_TRUE(has_quantized_weights(model));
  const auto one = weights_of(with_moved_weights(model, 0));
  ASSERT_EQ(one.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_LE(std::fabs(one[i] - 0.5f * static_cast<float>(i + 1)), 0.25f);
    EXPECT_NE(one[i], 0.5f * static_cast<float>(i + 1));
  }
  EXPECT_EQ(weights_of(with_moved_weights(model, 0)), one) << "the same seed";
  EXPECT_NE(weights_of(with_moved_weights(model, 1)), one);
  EXPECT_TRUE(weights_of(model).empty()) << "the model stays";
}

// An embedding that the last layer reads, too.
TEST(MovedWeights, NumbersMayBeRearrangedBeforeTheyAreDequantised) {
  const Model model = parse(R"(<int8[2, 2] w = {1, 2, 3, 4}, float s = {0.5}, int64[1] i = {1}> {
    chosen = Gather(w, i) row = DequantizeLinear(chosen, s)
    turned = Transpose(w) columns = DequantizeLinear(turned, s)
    sum = Add(x, row) y = MatMul(sum, columns) })");
  EXPECT_TRUE(has_quantized_weights(model));
  const Model moved = with_moved_weights(model, 0);
  std::vector<std::string> ops;
  std::vector<Array> weights;
  for (const auto& node : moved.graph->nodes()) {
    if (node->inputs()[0]->dtype() == DataType::kInt8) continue;  // nothing reads its result
    ops.emplace_back(node->op());
    if (node->op() == "Gather" || node->op() == "Transpose")
      weights.push_back(node->inputs()[0]->payload()->load(""));
  }
  EXPECT_EQ(ops, (std::vector<std::string>{"Gather", "Transpose", "Add", "MatMul"}));
  ASSERT_EQ(weights.size(), 2u);
  for (size_t i = 0; i < 4; ++i) {
    const float number = weights[0].as<float>()[i];
    EXPECT_LE(std::fabs(number - 0.5f * static_cast<float>(i + 1)), 0.25f);
    EXPECT_EQ(weights[1].as<float>()[i], number) << "one weight";
  }
  EXPECT_FALSE(has_quantized_weights(parse(R"(<float s = {0.5}> {
    q = QuantizeLinear(x, s) t = Transpose(q) u = Transpose(t) y = DequantizeLinear(u, s) })")));
  EXPECT_TRUE(
      has_quantized_weights(parse(R"(<int8[2] w = {1, 2}, float s = {0.5}, int64[2] n = {2, 2}> {
    v = Expand(w, n) d = DequantizeLinear(v, s) y = MatMul(x, d) })")));
  EXPECT_FALSE(
      has_quantized_weights(parse(R"(<int8[2, 4] w = {1, 2, 3, 4, 5, 6, 7, 8}, float s = {0.5}> {
    a, b = Split<axis = 1, num_outputs = 2>(w) d = DequantizeLinear(a, s) y = MatMul(x, d) })")));
}

TEST(MovedWeights, FloatModelsHaveNone) {
  EXPECT_FALSE(has_quantized_weights(parse("<float[2, 2] w = {1, 2, 3, 4}> { y = MatMul(x, w) }")));
}

}  // namespace
}  // namespace polygraphy
