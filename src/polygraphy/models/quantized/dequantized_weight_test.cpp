#include "polygraphy/models/quantized/dequantized_weight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

std::optional<DequantizedWeight> of(const std::string& constants, const std::string& node) {
  const auto model = graphsurgeon::parse_onnx_text(
      ("<ir_version: 10, opset_import: [\"\": 21, \"com.microsoft\": 1]> g (float[1, 2] x) => "
       "(float[1, 2] y) <" +
       constants + "> {" + node + "}")
          .c_str());
  return dequantized_weight(*model.graph->nodes().front());
}

std::vector<float> numbers(const Array& array) {
  return {array.as<float>().begin(), array.as<float>().end()};
}

TEST(DequantizedWeight, PerTensor) {
  const auto weight =
      of("int8[2] w = {-4, 3}, float s = {0.5}, int8 z = {1}", "y = DequantizeLinear(w, s, z)");
  EXPECT_THAT(numbers(weight->values), ElementsAre(-2.5f, 1.0f));
  EXPECT_THAT(numbers(weight->half_steps), ElementsAre(0.25f, 0.25f));
}

TEST(DequantizedWeight, PerAxis) {
  const auto weight = of("int8[2, 2] w = {1, 2, 3, 4}, float[2] s = {1, 10}",
                         "y = DequantizeLinear<axis = 0>(w, s)");
  EXPECT_THAT(numbers(weight->values), ElementsAre(1, 2, 30, 40));
  const auto last = of("int8[2, 2] w = {1, 2, 3, 4}, float[2] s = {1, 10}",
                       "y = DequantizeLinear<axis = -1>(w, s)");
  EXPECT_THAT(numbers(last->values), ElementsAre(1, 20, 3, 40));
}

TEST(DequantizedWeight, InBlocks) {
  const auto weight = of("int8[3, 2] w = {1, 2, 3, 4, 5, 6}, float[2, 2] s = {1, 10, 100, 1000}",
                         "y = DequantizeLinear<axis = 0, block_size = 2>(w, s)");
  EXPECT_THAT(numbers(weight->values), ElementsAre(1, 20, 3, 40, 500, 6000));
}

TEST(DequantizedWeight, MatMulNBitsIsTheRightHandMatrix) {
  // Two columns of 16 rows in one block each: numbers 0, 1, 2, ... and 15, 15, ...
  const auto weight = of(
      "uint8[2, 1, 8] b = {16, 50, 84, 118, 152, 186, 220, 254, 255, 255, 255, 255, 255, 255, 255, "
      "255}, float[2] s = {1, 0.5}",
      "y = com.microsoft.MatMulNBits<K = 16, N = 2, bits = 4, block_size = 16>(x, b, s)");
  ASSERT_TRUE(weight);
  EXPECT_EQ(weight->values.shape(), (Shape{16, 2}));
  const auto values = numbers(weight->values);
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(values[2 * i], static_cast<float>(i) - 8);
    EXPECT_EQ(values[2 * i + 1], 3.5f);
  }
  EXPECT_THAT(numbers(weight->half_steps)[1], FloatEq(0.25f));
}

TEST(DequantizedWeight, RowsOfMatMulNBitsHaveTheScalesOfTheirGroups) {
  // One column of three rows in two blocks of two: numbers 8 + 1, 8 + 2, 8 + 3.
  const auto weight = of(
      "uint8[1, 2, 1] b = {169, 11}, float[2] s = {1, 10}, int32[4] g = {1, 0, 1, 0}, uint8[1] z = "
      "{135}",
      "y = com.microsoft.MatMulNBits<K = 3, N = 1, bits = 4, block_size = 2>(x, b, s, z, g)");
  ASSERT_TRUE(weight);
  EXPECT_THAT(numbers(weight->values), ElementsAre(10, 3, 30));
  EXPECT_THAT(numbers(weight->half_steps), ElementsAre(5, 0.5f, 5));
}

TEST(DequantizedWeight, MatMulIntegerCountsSteps) {
  const auto weight =
      of("uint8[2, 2] b = {1, 2, 3, 4}, uint8 za = {0}, uint8 z = {2}, uint8[1, 2] a = {1, 1}",
         "y = MatMulInteger(a, b, za, z)");
  EXPECT_THAT(numbers(weight->values), ElementsAre(-1, 0, 1, 2));
  EXPECT_THAT(numbers(weight->half_steps), ElementsAre(0.5f, 0.5f, 0.5f, 0.5f));
}

TEST(DequantizedWeight, OtherNodesHaveNone) {
  EXPECT_FALSE(of("float[2] w = {1, 2}", "y = Add(x, w)"));
  EXPECT_FALSE(
      of("int8[2] w = {1, 2}, float[3] s = {1, 2, 3}", "y = DequantizeLinear<axis = 0>(w, s)"))
      << "three scales for two numbers";
  EXPECT_FALSE(
      of("uint8[2, 1, 8] b = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, float[1] s = "
         "{1}",
         "y = com.microsoft.MatMulNBits<K = 16, N = 2, bits = 4, block_size = 16>(x, b, s)"))
      << "a scale is missing";
}

}  // namespace
}  // namespace polygraphy
