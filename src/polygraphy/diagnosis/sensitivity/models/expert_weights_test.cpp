#include "polygraphy/diagnosis/sensitivity/models/expert_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

graphsurgeon::Model model_with(const std::string& constants, const std::string& node) {
  return graphsurgeon::parse_onnx_text(
      ("<ir_version: 10, opset_import: [\"\": 21, \"com.microsoft\": 1]> g (float[1, 2] x, "
       "float[1, 2] r) => (float[1, 2] y) <" +
       constants + "> {" + node + "}")
          .c_str());
}

std::optional<QuantizedWeight> first_of(const std::string& constants, const std::string& node) {
  return quantized_experts(*model_with(constants, node).graph->nodes().front(), 1);
}

std::vector<float> numbers(const Array& array) {
  return {array.as<float>().begin(), array.as<float>().end()};
}

const std::string kSecond = "uint8[2, 1, 1] b = {0, 0}, float[2, 1] t = {1, 1}, ";

TEST(ExpertWeights, LowBitsAreFirst) {
  const auto weight =
      first_of(kSecond + "uint8[2, 1, 1] a = {145, 248}, float[2, 1] s = {1, 10}",
               "y = com.microsoft.QMoE<expert_weight_bits = 4>(x, r, a, s, , b, t)");
  ASSERT_TRUE(weight);
  EXPECT_EQ(weight->values.shape(), (Shape{2, 1, 2}));
  EXPECT_THAT(numbers(weight->dequantized()), ElementsAre(-7, 1, 0, 70));
}

TEST(ExpertWeights, ZeroPointsOfChannelsLieAlongTheChannels) {
  const auto weight = first_of(
      kSecond +
          "uint8[1, 3, 1] a = {17, 17, 17}, float[1, 3] s = {1, 1, 1}, uint8[1, 2] z = {33, 3}",
      "y = com.microsoft.QMoE<expert_weight_bits = 4>(x, r, a, s, , b, t, , , , , z)");
  ASSERT_TRUE(weight);
  EXPECT_THAT(numbers(weight->dequantized()), ElementsAre(0, 0, -1, -1, -2, -2));
}

TEST(ExpertWeights, ZeroPointsOfBlocksLieAlongTheBlocks) {
  const auto weight = first_of(
      kSecond +
          "uint8[1, 2, 3] a = {17, 17, 17, 17, 17, 17}, float[1, 2, 3] s = {1, 1, 1, 1, 1, "
          "10}, uint8[1, 2, 2] z = {33, 3, 16, 2}",
      "y = com.microsoft.QMoE<expert_weight_bits = 4, block_size = 2>(x, r, a, s, , b, t, , , , , "
      "z)");
  ASSERT_TRUE(weight);
  EXPECT_THAT(numbers(weight->dequantized()),
              ElementsAre(0, 0, -1, -1, -2, -2, 1, 1, 0, 0, -10, -10));
}

TEST(ExpertWeights, EightBitsHave128InTheMiddle) {
  const auto weight =
      first_of(kSecond + "uint8[1, 1, 2] a = {128, 130}, float[1, 1] s = {0.5}",
               "y = com.microsoft.QMoE<expert_weight_bits = 8>(x, r, a, s, , b, t)");
  ASSERT_TRUE(weight);
  EXPECT_THAT(numbers(weight->dequantized()), ElementsAre(0, 1));
}

TEST(ExpertWeights, APartMayHaveBitsOfItsOwn) {
  const auto weight = first_of(
      kSecond + "uint8[1, 1, 2] a = {128, 130}, float[1, 1] s = {0.5}",
      "y = com.microsoft.QMoE<expert_weight_bits = 4, fc1_expert_weight_bits = 8>(x, r, a, s, , b, "
      "t)");
  ASSERT_TRUE(weight);
  EXPECT_EQ(weight->values.shape(), (Shape{1, 1, 2}));
}

TEST(ExpertWeights, WhatIsNotKnownIsNotRead) {
  const std::string constants =
      kSecond +
      "uint8[1, 2, 2] a = {1, 2, 3, 4}, float[1, 2] s = {1, 1}, float[1, 3] more = {1, "
      "1, 1}, uint8[1, 2] z = {0, 0}";
  const auto refused = [&](const std::string& attributes, const std::string& inputs) {
    return !first_of(constants, "y = com.microsoft.QMoE<" + attributes + ">(x, r, " + inputs + ")");
  };
  EXPECT_FALSE(refused("expert_weight_bits = 4", "a, s, , b, t"));
  EXPECT_TRUE(refused("expert_weight_bits = 2", "a, s, , b, t"));
  EXPECT_TRUE(refused("quant_type = \"fp4\"", "a, s, , b, t"));
  EXPECT_TRUE(refused("weights_prepacked = 1", "a, s, , b, t")) << "a layout of an engine";
  EXPECT_TRUE(refused("expert_weight_bits = 4", "a, more, , b, t")) << "a scale too many";
  EXPECT_TRUE(refused("block_size = 2", "a, s, , b, t")) << "no scale for each block";
  EXPECT_TRUE(refused("block_size = 3", "a, s, , b, t")) << "no whole blocks";
  EXPECT_TRUE(refused("expert_weight_bits = 4", "a, s, , b, t, , , , , z")) << "a byte too many";
  EXPECT_TRUE(refused("expert_weight_bits = 4", "a, s, , b, t, , , , , s")) << "no integers";
  EXPECT_TRUE(refused("expert_weight_bits = 4", "r, s, , b, t")) << "no constant";
}

TEST(ExpertWeights, BecomeFloatsBehindTheirBiases) {
  const auto model = model_with(
      kSecond + "uint8[2, 1, 1] a = {145, 248}, float[2, 1] s = {1, 10}, float[2, 1] c = {1, 2}",
      "y = com.microsoft.QMoE<k = 1, expert_weight_bits = 4>(x, r, a, s, , b, t, c)");
  graphsurgeon::Node& node = *model.graph->nodes().front();
  const graphsurgeon::TensorRef one = model.graph->variable("one"),
                                two = model.graph->variable("two");
  EXPECT_FALSE(becomes_moe(node, {one, {}, {}})) << "fc2 would be lost";
  EXPECT_EQ(node.op(), "QMoE");
  ASSERT_TRUE(becomes_moe(node, {one, two, {}}));
  EXPECT_TRUE(has_experts(node));
  std::vector<std::string> names;
  for (const auto* input : node.inputs()) names.emplace_back(input->name());
  EXPECT_THAT(names, ElementsAre("x", "r", "one", "", "two", "c"));
  EXPECT_TRUE(node.attribute("k"));
  EXPECT_FALSE(node.attribute("expert_weight_bits"));
}

TEST(ExpertWeights, OfARouterWithWeightsOfItsOwnStay) {
  const auto model = model_with(
      kSecond + "uint8[2, 1, 1] a = {145, 248}, float[2, 1] s = {1, 10}",
      "y = com.microsoft.QMoE<expert_weight_bits = 4>(x, r, a, s, , b, t, , , , , , , , r)");
  graphsurgeon::Node& node = *model.graph->nodes().front();
  const graphsurgeon::TensorRef one = model.graph->variable("one"),
                                two = model.graph->variable("two");
  EXPECT_FALSE(becomes_moe(node, {one, two, {}}));
}

}  // namespace
}  // namespace polygraphy
