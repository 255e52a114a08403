#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace polygraphy {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;

std::vector<float> values_of(const Array& array) {
  const auto span = array.as<float>();
  return {span.begin(), span.end()};
}

QuantizedWeight in(const char* format, const Array& weight) {
  return quantize(weight, parse_weight_format(format), 1, 0);
}

TEST(QuantizedWeight, AChannelHasAScale) {
  const QuantizedWeight weight = in("int8", Array::of<float>({2, 2}, {127, 0.5f, -63.6f, -1}));
  EXPECT_THAT(values_of(weight.scales), ElementsAre(1, FloatEq(1 / 127.0f)));
  EXPECT_THAT(values_of(weight.dequantized()),
              ElementsAre(127, FloatEq(64 / 127.0f), -64, FloatEq(-1)));
  EXPECT_EQ(weight.bytes(), 4 + 8);
}

TEST(QuantizedWeight, TiesBecomeEven) {
  const Array from = Array::of<float>({1, 6}, {127, 0.5f, 1.5f, -2.5f, -3.5f, 0.49999997f});
  EXPECT_THAT(values_of(in("int8:per-tensor", from).dequantized()),
              ElementsAre(127, 0, 2, -2, -4, 0));
}

TEST(QuantizedWeight, ABlockOfInt4HasMinusEightTimesItsScale) {
  const Array from = Array::of<float>({4, 1}, {8, -4, 0.25f, -0.125f});
  const QuantizedWeight weight = in("int4:block=2", from);
  EXPECT_THAT(values_of(weight.scales), ElementsAre(-1, FloatEq(-0.25f / 8)));
  EXPECT_THAT(values_of(weight.dequantized()), ElementsAre(8, -4, 0.25f, -0.125f));
  EXPECT_EQ(weight.scales.shape(), (Shape{2, 1}));
  EXPECT_EQ(weight.bytes(), 2 + 8);
}

TEST(QuantizedWeight, TheLastBlockMayBeShorter) {
  const QuantizedWeight weight = in("int4:block=2", Array::of<float>({3, 1}, {1, 1, -3}));
  EXPECT_EQ(weight.scales.shape(), (Shape{2, 1}));
  EXPECT_THAT(values_of(weight.dequantized()), ElementsAre(1, 1, -3));
}

TEST(QuantizedWeight, ZeroPointsKeepZero) {
  const QuantizedWeight weight =
      in("int4:block=4,asymmetric", Array::of<float>({4, 1}, {0, 1, 2, 15}));
  EXPECT_THAT(values_of(weight.dequantized()), ElementsAre(0, 1, 2, 15));
}

TEST(QuantizedWeight, SmallFloatsHaveScalesToo) {
  EXPECT_THAT(values_of(in("fp8", Array::of<float>({1, 2}, {896, 3})).dequantized()),
              ElementsAre(896, 3));
  EXPECT_THAT(
      values_of(in("fp4:block=4", Array::of<float>({4, 1}, {12, 1, 6.9f, -3})).dequantized()),
      ElementsAre(12, 1, 6, -3));
}

TEST(QuantizedWeight, CastsHaveNone) {
  const QuantizedWeight weight = in("bf16", Array::of<float>({1, 1}, {1.00390625f}));
  EXPECT_TRUE(weight.scales.empty());
  EXPECT_THAT(values_of(weight.dequantized()), ElementsAre(1));
  EXPECT_EQ(weight.bytes(), 2);
}

TEST(QuantizedWeight, ZerosAndOtherNumbersThatHaveNoScale) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const char* format : {"int8", "int8:asymmetric", "int4", "int4:asymmetric", "fp8", "fp4"}) {
    SCOPED_TRACE(format);
    EXPECT_THAT(
        values_of(in(format, Array::of<float>({2, 2}, {0, nan, -infinity, 0})).dequantized()),
        Each(0));
  }
}

TEST(WeightFormat, ItsTextIsRead) {
  for (const char* text :
       {"int8", "int8:weights-only", "int8:block=8", "int4:block=32", "int4:block=16,asymmetric",
        "int8:per-tensor,asymmetric", "fp8", "fp4:block=16", "bf16", "fp16"}) {
    EXPECT_EQ(parse_weight_format(text).text(), text);
  }
  EXPECT_EQ(parse_weight_format("int4").text(), "int4:block=32");
  for (const char* text : {"", "int3", "int8:", "int8:block=1", "int8:block=x", "bf16:block=8",
                           "fp8:asymmetric", "int4:weights-only", "int8:per-tensor,"})
    EXPECT_THROW(parse_weight_format(text), Error) << text;
}

TEST(ActivationRange, HasZeroAndRounds) {
  const ActivationRange range = activation_range(1, 255);
  EXPECT_EQ(range.scale, 1);
  EXPECT_EQ(range.zero_point, -128);
  EXPECT_THAT(values_of(range.rounded(Array::of<float>({4}, {0.5f, 1.5f, 300, -3}))),
              ElementsAre(0, 2, 255, 0));
  EXPECT_EQ(activation_range(0, 0).scale, 1);
}

}  // namespace
}  // namespace polygraphy
