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

TEST(MovedWeights, FloatModelsHaveNone) {
  EXPECT_FALSE(has_quantized_weights(parse("<float[2, 2] w = {1, 2, 3, 4}> { y = MatMul(x, w) }")));
}

}  // namespace
}  // namespace polygraphy
