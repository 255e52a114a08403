#include "polygraphy/diagnosis/locate/judging/judged_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace polygraphy {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Array floats(std::vector<float> values) {
  return Array::of<float>({static_cast<int64_t>(values.size())}, values);
}

double ratio(const Array& reference, const Array& observed, const Noise& noise,
             NumberFormat format = NumberFormat::kFloat16) {
  return judged_error(reference, observed, format, noise, {}).ratio;
}

TEST(JudgedErrorTest, ElementsThatTheFormatDoesNotHoldExcuseNoOthers) {
  const Noise one_overflows{.norm = 1e-3, .largest = 1e-3};
  const Array reference = floats({1e5f, 1, 2, 3});
  EXPECT_EQ(ratio(reference, floats({kInf, 1, 2, 3}), one_overflows), 1);
  EXPECT_TRUE(std::isinf(ratio(reference, floats({kNan, kNan, kNan, kNan}), one_overflows)));
  EXPECT_GT(ratio(reference, floats({kInf, 1, 2, 4}), one_overflows), 100);
}

// OpenVINO in float16: -1e9 of a mask becomes -65504.
TEST(JudgedErrorTest, NumbersMayBecomeTheLargestOfTheFormat) {
  const Noise noise{.norm = 1e-3, .largest = 1e-3};
  const Array reference = floats({-1e9f, 1, 2, 3});
  EXPECT_EQ(ratio(reference, floats({-65504, 1, 2, 3}), noise), 1);
  EXPECT_EQ(ratio(reference, floats({-65472, 1, 2, 3}), noise), 1);
  EXPECT_GT(ratio(reference, floats({65504, 1, 2, 3}), noise), 100);
  EXPECT_GT(ratio(reference, floats({-6e4f, 1, 2, 3}), noise), 100);
  EXPECT_GT(ratio(reference, floats({-65504, 1, 2, 4}), noise), 100);
  EXPECT_GT(ratio(reference, floats({-65504, 1, 2, 3}), noise, NumberFormat::kFloat32), 100);
}

TEST(JudgedErrorTest, NumbersAreOfTheKindsThatTheNoiseMakesThere) {
  const Array reference = floats({1e6f, -1e6f, 2, 65500});
  Noise noise;
  add_noise(noise, reference, floats({kInf, -kInf, 2, 65472}), NumberFormat::kFloat16);
  add_noise(noise, reference, floats({kInf, -kInf, 2, 65504}), NumberFormat::kFloat16);
  const auto allows = [&](std::vector<float> observed) {
    return std::isfinite(ratio(reference, floats(std::move(observed)), noise));
  };
  EXPECT_EQ(ratio(reference, floats({kInf, -kInf, 2, 65500}), noise), 1);
  EXPECT_TRUE(allows({kInf, -1e6f, 2, 65500}));
  EXPECT_FALSE(allows({kInf, -1e6f, kNan, 65500}));
  EXPECT_FALSE(allows({kInf, -1e6f, kInf, 65500}));
  EXPECT_FALSE(allows({-kInf, -1e6f, 2, 65500}));
  // A fused engine subtracts infinities before it.
  EXPECT_TRUE(allows({kNan, -kInf, 2, 65500}));
  // Another evaluation may round it to infinity.
  EXPECT_TRUE(allows({kInf, -kInf, 2, kInf}));
  EXPECT_FALSE(allows({kInf, -kInf, 2, -kInf}));
}

// Where evaluations make NaN of some numbers, others become NaN in a correct engine.
TEST(JudgedErrorTest, FewEvaluationsDoNotFindAllNansAtTheLimit) {
  const Array reference = floats({1, 2, 3, 4});
  Noise noise;
  add_noise(noise, reference, floats({1, kNan, 3, 4}), NumberFormat::kFloat16);
  add_noise(noise, reference, reference, NumberFormat::kFloat16);
  EXPECT_EQ(ratio(reference, floats({1, 2, kNan, 4}), noise), 1);
  // An engine may take the NaN for another number on its way.
  EXPECT_EQ(ratio(reference, floats({1, kInf, 3, 4}), noise), 1);
  EXPECT_TRUE(std::isinf(ratio(reference, floats({1, 2, kNan, kNan}), noise)));
  EXPECT_TRUE(std::isinf(ratio(reference, floats({1, 2, kInf, 4}), noise)));
}

TEST(JudgedErrorTest, AMaskHidesNoErrorsOfOtherNumbers) {
  for (const float mask : {-1e4f, -1e9f, std::numeric_limits<float>::lowest()}) {
    const Array reference = floats({1, -2, mask, 3, mask, 0.5f});
    const Array off = floats({1.05f, -2.1f, mask, 3.15f, mask, 0.525f});
    Noise noise;
    add_noise(noise, reference, floats({1 + 0x1p-23f, -2, mask, 3, mask, 0.5f}),
              NumberFormat::kFloat32);
    const JudgedError judged = judged_error(reference, off, NumberFormat::kFloat32, noise, {});
    EXPECT_GT(judged.ratio, 1000) << mask;
    EXPECT_NEAR(judged.error.relative(), 0.05, 1e-6) << mask;
    EXPECT_LT(ratio(reference, floats({1, -2 - 0x1p-22f, mask, 3, mask, 0.5f}), noise,
                    NumberFormat::kFloat32),
              3);
    // The mask itself is judged, too.
    EXPECT_GT(
        ratio(reference, floats({1, -2, mask, 3, mask / 2, 0.5f}), noise, NumberFormat::kFloat32),
        1000);
  }
}

// One in a hundred: the others are smaller, wherever they lie and however many are 0.
TEST(JudgedErrorTest, TheRatioOfElementsIsThatOfAShare) {
  for (const size_t off : {size_t{100000}, size_t{1500}, size_t{999}}) {
    std::vector<float> observed(100000, 1);
    for (size_t i = 0; i < off; ++i) observed[i * 77777 % 100000] += static_cast<float>(i) / 4096;
    Noise noise;
    noise.of_elements = Array::zeros(DataType::kFloat32, {100000});
    const double ratio = ratio_of_elements(floats(std::vector<float>(100000, 1)),
                                           floats(std::move(observed)), noise, 1.0 / 4096);
    EXPECT_FLOAT_EQ(ratio, off < 1000 ? 0 : static_cast<double>(off - 1000));
  }
}

TEST(JudgedErrorTest, WholeNumbersHaveNoFloor) {
  const Array reference = Array::of<int64_t>({3}, {1000000, 1000001, 1000002});
  const Array observed = Array::of<int64_t>({3}, {1000001, 1000002, 1000003});
  EXPECT_TRUE(std::isinf(ratio(reference, observed, {})));
  EXPECT_EQ(ratio(reference, reference, {}), 0);
}

TEST(JudgedErrorTest, WithoutNoiseThereIsAFloor) {
  const Array reference = floats({1, 2, 3});
  EXPECT_LT(ratio(reference, floats({1, 2, 3 + 0x1p-21f}), {}, NumberFormat::kFloat32), 1);
  EXPECT_GT(ratio(reference, floats({1, 2, 3.001f}), {}, NumberFormat::kFloat32), 100);
  EXPECT_EQ(ratio(floats({0, 0}), floats({0, 0}), {}), 0);
}

TEST(JudgedErrorTest, OneRoundingIsNoFault) {
  const Array reference = floats({1, 1, 1, 1});
  const float below = 1 - 0x1p-11f;
  EXPECT_LT(ratio(reference, floats({below, below, below, below}), {}), 3);
}

TEST(JudgedErrorTest, FewElementsHaveUncertainNoise) {
  const Noise noise{.norm = 1e-2, .largest = 1e-2};
  EXPECT_LT(ratio(floats({1}), floats({1.05f}), noise), 3);
  EXPECT_GT(ratio(floats({1, 2, 3, 4, 5, 6, 7, 8}), floats({1.05f, 2, 3, 4, 5, 6, 7, 8}), noise),
            3);
}

TEST(JudgedErrorTest, AnotherShapeIsInfinitelyFarOff) {
  EXPECT_TRUE(std::isinf(ratio(floats({1}), floats({1, 2}), {})));
  EXPECT_TRUE(std::isinf(ratio(floats({1}), floats({1, 2}), {.resized = {0}})));
}

TEST(JudgedErrorTest, SizesMayDifferAsFarAsTheNoiseChangesThem) {
  const auto indices = [](Shape shape) { return Array::zeros(DataType::kInt64, std::move(shape)); };
  Noise noise;
  add_noise(noise, indices({2, 9}), indices({2, 8}), NumberFormat::kFloat16);
  add_noise(noise, indices({2, 9}), indices({2, 11}), NumberFormat::kFloat16);
  EXPECT_EQ(ratio(indices({2, 9}), indices({2, 10}), noise), 1);
  EXPECT_EQ(ratio(indices({2, 9}), indices({2, 5}), noise), 2);
  EXPECT_TRUE(std::isinf(ratio(indices({2, 9}), indices({3, 9}), noise)));
  EXPECT_TRUE(std::isinf(ratio(indices({2, 9}), indices({2, 9, 1}), noise)));
  EXPECT_TRUE(std::isinf(ratio(indices({2, 9}), Array::zeros(DataType::kInt32, {2, 8}), noise)));
  EXPECT_TRUE(std::isinf(ratio(indices({0, 9}), Array::zeros(DataType::kFloat32, {}), noise)));
}

}  // namespace
}  // namespace polygraphy
