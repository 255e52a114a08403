#include "polygraphy/models/noise/unknown_rounding.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/models/noise/moved_weights.h"

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

// Operators with unknown rounding.
std::vector<std::string> unknown_of(const std::string& text) {
  std::vector<std::string> unknown;
  const Model model = parse(text);
  for (const auto& node : model.graph->nodes()) {
    if (has_unknown_rounding(*node)) unknown.emplace_back(node->op());
  }
  return unknown;
}

using Ops = std::vector<std::string>;

// A weight of one column and two rows, in one block.
std::string nbits(const std::string& bits, const std::string& more_constants = "",
                  const std::string& more_inputs = "") {
  return R"(<uint8[1, 1, 8] b = {1, 2, 3, 4, 5, 6, 7, 8}, float[1] s = {1})" + more_constants +
         "> { y = com.microsoft.MatMulNBits<K = 2, N = 1, block_size = 16, bits = " + bits +
         ">(x, b, s" + more_inputs + ") }";
}

TEST(UnknownRounding, OperatorsThatComputeWithQuantisedNumbers) {
  EXPECT_EQ(unknown_of(R"(<uint8[2, 2] w = {1, 2, 3, 4}, float s = {0.5}, uint8 z = {0}> {
    q = QuantizeLinear(x, s, z) p = QLinearMatMul(q, s, z, w, s, z, s, z)
    y = DequantizeLinear(p, s, z) })"),
            Ops{"QLinearMatMul"});
  EXPECT_EQ(unknown_of(R"({ y = com.microsoft.QOrderedGelu(x) })"), Ops{"QOrderedGelu"});
  EXPECT_EQ(unknown_of(R"({ y = com.microsoft.QLinearWhere(x) })"), Ops{"QLinearWhere"});
  EXPECT_EQ(unknown_of(R"({ y = com.microsoft.QLinearReduceMean(x) })"), Ops{"QLinearReduceMean"});
}

TEST(UnknownRounding, WeightsOfMatMulNBitsThatAreNotMoved) {
  EXPECT_EQ(unknown_of(nbits("4")), Ops{});
  EXPECT_TRUE(has_quantized_weights(parse(nbits("4"))));
  EXPECT_EQ(unknown_of(nbits("2")), Ops{"MatMulNBits"});
  EXPECT_FALSE(has_quantized_weights(parse(nbits("2"))));
  EXPECT_EQ(unknown_of(nbits("4", ", int32[2] g = {0, 0}", ", , g")), Ops{});
  EXPECT_EQ(unknown_of(nbits("4", ", int32[2] g = {0, 1}", ", , g")), Ops{"MatMulNBits"})
      << "there is one block only";
  EXPECT_EQ(unknown_of(nbits("4", ", int32[1] g = {0}", ", , g")), Ops{"MatMulNBits"});
}

TEST(UnknownRounding, DequantizeLinearOfWhatNoNodeQuantises) {
  const std::string constants =
      "<int8[4] w = {1, 2, 3, 4}, float s = {0.5}, float[2] two = {0.5, 1}, int64[2] shape = "
      "{2, 2}> ";
  const auto reshaped = [&](const std::string& scale) {
    return constants + "{ v = Reshape(w, shape) d = DequantizeLinear(v, " + scale +
           ") y = MatMul(x, d) }";
  };
  EXPECT_EQ(unknown_of(reshaped("s")), Ops{});
  EXPECT_TRUE(has_quantized_weights(parse(reshaped("s"))));
  EXPECT_EQ(unknown_of(reshaped("two")), Ops{"DequantizeLinear"});
  EXPECT_FALSE(has_quantized_weights(parse(reshaped("two"))));
  EXPECT_EQ(unknown_of(constants + R"({ q = QuantizeLinear(x, s) v = Reshape(q, shape)
    y = DequantizeLinear(v, s) })"),
            Ops{});
}

TEST(UnknownRounding, DequantizeLinearWithScalesOfNoKnownForm) {
  EXPECT_EQ(unknown_of(R"(<int8[2, 2] w = {1, 2, 3, 4}, float[3] s = {1, 2, 3}> {
    d = DequantizeLinear(w, s) y = MatMul(x, d) })"),
            Ops{"DequantizeLinear"});
  EXPECT_EQ(unknown_of(R"(<float[2] s = {0.5, 0.25}> {
    q = QuantizeLinear(x, s) y = DequantizeLinear(q, s) })"),
            Ops{"DequantizeLinear"});
}

TEST(UnknownRounding, MatMulIntegerOfWhatNoNodeQuantises) {
  EXPECT_EQ(unknown_of(R"(<uint8[2, 2] w = {1, 2, 3, 4}> {
    q, s, z = DynamicQuantizeLinear(x) p = MatMulInteger(q, w, z) y = Cast <to = 1> (p) })"),
            Ops{});
  EXPECT_EQ(unknown_of(R"(<uint8[4] w = {1, 2, 3, 4}, int64[2] shape = {2, 2}> {
    q, s, z = DynamicQuantizeLinear(x) v = Reshape(w, shape) p = MatMulInteger(q, v, z)
    y = Cast <to = 1> (p) })"),
            Ops{"MatMulInteger"});
  EXPECT_EQ(unknown_of(R"(<uint8[1, 2] w = {1, 2}> {
    q, s, z = DynamicQuantizeLinear(x) p = MatMulInteger(w, q) y = Cast <to = 1> (p) })"),
            Ops{"MatMulInteger"});
}

}  // namespace
}  // namespace polygraphy
