#include "polygraphy/models/noise/tensor_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "polygraphy/models/noise/number_errors.h"

namespace polygraphy {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(TensorErrors, Figures) {
  const TensorError error = measure_error(Array::of<float>({2, 2}, {3, 4, 0, 0}),
                                          Array::of<float>({2, 2}, {3, 4, 0, -1}));
  EXPECT_DOUBLE_EQ(error.relative(), 0.2);
  EXPECT_EQ(error.largest, 1);
  EXPECT_EQ(error.worst, 3);
  EXPECT_EQ(error.worst_observed, -1);
  EXPECT_EQ(error.least_number, 0);
  EXPECT_EQ(error.largest_number, 4);
  EXPECT_NEAR(error.snr(), 13.979, 1e-3);
  EXPECT_NEAR(error.cosine(), 5 / std::sqrt(26.0), 1e-12);
  EXPECT_FALSE(error.exact);
}

TEST(TensorErrors, AnEmptyStackHasAnyOtherSizes) {
  const auto zeros = [](Shape shape) { return Array::zeros(DataType::kFloat32, std::move(shape)); };
  EXPECT_TRUE(measure_error(zeros({0, 0}), zeros({0, 3})).exact);
  EXPECT_FALSE(measure_error(zeros({0, 3}), zeros({3, 0})).exact);
  EXPECT_FALSE(measure_error(zeros({0, 3}), zeros({1, 3})).exact);
}

TEST(TensorErrors, StepsOfTheFormat) {
  const TensorError error = measure_error(
      Array::of<float>({1}, {1}), Array::of<float>({1}, {1.03125f}), NumberFormat::kBfloat16);
  EXPECT_EQ(error.ulps, 4);
}

TEST(TensorErrors, EqualNumbersHaveTheFiguresOfTheReference) {
  const Array a = Array::of<float>({5}, {3, -4, 0, 12, -84});
  const TensorError error = measure_error(a, a.clone());
  EXPECT_TRUE(error.exact);
  EXPECT_EQ(error.reference_norm, 85);
  EXPECT_EQ(error.observed_norm, 85);
  EXPECT_EQ(error.product, 85 * 85);
  EXPECT_EQ(error.least_number, -84);
  EXPECT_EQ(error.largest_number, 12);
  EXPECT_EQ(error.worst, -1);
  EXPECT_EQ(error.ulps, 0);
}

TEST(TensorErrors, LargestDifferencesOfFiniteNumbers) {
  const std::vector<float> a = {1, 2, kNan, kInf, -3e38f, 5}, b = {2, 2, 1, kInf, 3e38f, 3};
  std::vector<float> largest(6, 1.5f);
  raise_to_differences(a.data(), b.data(), 6, largest.data());
  EXPECT_EQ(largest, (std::vector<float>{1.5f, 1.5f, 1.5f, 1.5f, kInf, 2}));
  const std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
  std::vector<float> wide(6, 1.5f);
  raise_to_differences(x.data(), y.data(), 6, wide.data());
  EXPECT_EQ(wide, largest);
  raise_to_differences(a.data(), b.data(), 6, largest.data(), true);
  EXPECT_EQ(largest, (std::vector<float>{1, 0, 0, 0, kInf, 2}));
}

TEST(TensorErrors, EqualNonFiniteNumbersAreNoMismatch) {
  const Array a = Array::of<float>({4}, {kNan, kInf, -kInf, 1});
  EXPECT_TRUE(measure_error(a, a).exact);
  const TensorError error = measure_error(a, Array::of<float>({4}, {kNan, 5, kInf, 1}));
  EXPECT_EQ(error.non_finite_mismatches, 2);
  EXPECT_EQ(error.first_mismatch, 1);
  EXPECT_EQ(error.non_finite_reference, 3);
  EXPECT_EQ(error.norm, 0);
}

TEST(TensorErrors, NumbersAreThoseOfTheReferenceWhateverIsOnTheOtherSide) {
  const TensorError error =
      measure_error(Array::of<float>({3}, {-2, kNan, 5}), Array::of<float>({3}, {kNan, 1, kInf}));
  EXPECT_EQ(error.least_number, -2);
  EXPECT_EQ(error.largest_number, 5);
}

TEST(TensorErrors, OtherShapesHaveNoFigures) {
  EXPECT_EQ(
      measure_error(Array::zeros(DataType::kFloat32, {2}), Array::zeros(DataType::kFloat32, {1, 2}))
          .incomparable,
      "shapes (2) and (1, 2)");
}

TEST(TensorErrors, IntegersAndTexts) {
  EXPECT_EQ(measure_error(Array::of<int64_t>({2}, {1, 2}), Array::of<int64_t>({2}, {1, 4})).largest,
            2);
  EXPECT_EQ(
      measure_error(Array::from_strings({2}, {"a", "b"}), Array::from_strings({2}, {"a", "c"}))
          .worst,
      1);
}

TEST(TensorErrors, LargeIntegersMayBeOf32Bits) {
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(
      measure_error(Array::of<int64_t>({2}, {kEnd, 5}), Array::of<int64_t>({2}, {2147483647, 5}))
          .exact);
  EXPECT_FALSE(measure_error(Array::of<int64_t>({1}, {kEnd}), Array::of<int64_t>({1}, {-1})).exact);
}

TEST(TensorErrors, TheSameForManyElements) {
  std::vector<float> a(200000), b(200000);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 97);
    b[i] = a[i] + (i == 150001 ? 2.0f : 0.0f);
  }
  const TensorError error = measure_error(Array::of<float>({200000}, std::span<const float>(a)),
                                          Array::of<float>({200000}, std::span<const float>(b)));
  EXPECT_EQ(error.worst, 150001);
  EXPECT_DOUBLE_EQ(error.norm, 2);
}

}  // namespace
}  // namespace polygraphy
