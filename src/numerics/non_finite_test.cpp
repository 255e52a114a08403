#include "numerics/non_finite.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class NonFiniteOf : public testing::TestWithParam<DataType> {
 protected:
  static NonFinite among(float last) {
    const float values[] = {0, -1.5f, last};
    return non_finite(convert(
        Array::view(DataType::kFloat32, {3}, reinterpret_cast<const std::byte*>(values), nullptr),
        GetParam()));
  }
};

TEST_P(NonFiniteOf, NumbersAreFinite) {
  EXPECT_FALSE(among(2.0f));
}

TEST_P(NonFiniteOf, ANan) {
  EXPECT_TRUE(among(kNan).nan);
  EXPECT_FALSE(among(kNan).infinity);
}

TEST_P(NonFiniteOf, AnInfinity) {
  EXPECT_TRUE(among(-kInfinity).infinity);
  EXPECT_FALSE(among(kInfinity).nan);
}

INSTANTIATE_TEST_SUITE_P(Types, NonFiniteOf,
                         testing::Values(DataType::kFloat32, DataType::kFloat64, DataType::kFloat16,
                                         DataType::kBfloat16, DataType::kFloat8E5M2),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST(NonFinite, SomeTypesHaveNoInfinity) {
  const Array nan = convert(
      Array::view(DataType::kFloat32, {1}, reinterpret_cast<const std::byte*>(&kNan), nullptr),
      DataType::kFloat8E4M3FN);
  EXPECT_TRUE(non_finite(nan).nan);
  EXPECT_FALSE(non_finite(nan).infinity);
}

TEST(NonFinite, IntegersHaveNeither) {
  EXPECT_FALSE(non_finite(Array::zeros(DataType::kInt64, {4})));
  EXPECT_FALSE(non_finite(Array::from_strings({1}, {"nan"})));
}

TEST(NonFinite, AnEmptyTensor) {
  EXPECT_FALSE(non_finite(Array::zeros(DataType::kFloat32, {0, 3})));
}

TEST(NonFinite, AFiniteNumberIsFound) {
  EXPECT_TRUE(has_finite_number(Array::of<float>({2}, {kNan, 1})));
  EXPECT_FALSE(has_finite_number(Array::of<float>({2}, {kNan, -kInfinity})));
  EXPECT_FALSE(has_finite_number(Array::of<float>({0}, {})));
  EXPECT_TRUE(has_finite_number(Array::of<int64_t>({1}, {7})));
}

}  // namespace
}  // namespace polygraphy
