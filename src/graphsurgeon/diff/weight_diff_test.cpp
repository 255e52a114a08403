#include "graphsurgeon/diff/weight_diff.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/arrays/convert.h"
#include "graphsurgeon/diff/attribute_diff.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"

namespace graphsurgeon {
namespace {

std::string difference(const Array& a, const Array& b, const WeightTolerances& tolerances = {}) {
  const auto diff = compare_weights(*owned_payload(a), *owned_payload(b), "w", tolerances);
  return diff ? to_text(*diff) : "equal";
}

template <typename T>
std::string difference(std::initializer_list<T> a, std::initializer_list<T> b,
                       const WeightTolerances& tolerances = {}) {
  const Shape shape{static_cast<int64_t>(a.size())};
  return difference(Array::of<T>(shape, a), Array::of<T>(shape, b), tolerances);
}

// The same numbers in another type.
std::string difference_as(DataType type, std::initializer_list<float> a,
                          std::initializer_list<float> b) {
  const Shape shape{static_cast<int64_t>(a.size())};
  return difference(polygraphy::convert(Array::of<float>(shape, a), type),
                    polygraphy::convert(Array::of<float>(shape, b), type));
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(WeightDiff, CountsTheLargestAndTheFirst) {
  EXPECT_EQ(difference<float>({1, 2, 3, 4}, {1, 2, 3, 4}), "equal");
  EXPECT_EQ(difference<float>({1, 2, 3, 4}, {1, 2.5, 3, 3}),
            "2 of 4 elements differ, by 1 at most (4194304 ulp), first at [1]: 2.0 -> 2.5");
  EXPECT_EQ(difference(Array::of<double>({2, 2}, {0, 0, 0, 1}),
                       Array::of<double>({2, 2}, {0, 0, 0, std::nextafter(1.0, 2.0)})),
            "1 of 4 elements differ, by 2.22044605e-16 at most (1 ulp), first at [1, 1]: 1.0 -> "
            "1.0000000000000002");
}

TEST(WeightDiff, ZerosOfBothSignsDifferByNoStep) {
  EXPECT_EQ(difference<float>({0.0f}, {-0.0f}),
            "1 of 1 elements differ, by 0 at most (0 ulp), first at [0]: 0.0 -> -0.0");
  EXPECT_EQ(difference<float>({0.0f}, {-0.0f}, {.absolute = 0, .relative = {}}), "equal");
}

TEST(WeightDiff, NansAndInfinities) {
  EXPECT_EQ(difference<float>({kNan, kInf}, {kNan, kInf}), "equal");
  EXPECT_EQ(difference<float>({kNan, 1}, {1, 2}),
            "2 of 2 elements differ, by nan at most (8388608 ulp), first at [0]: nan -> 1.0");
  EXPECT_EQ(difference<float>({kInf}, {-kInf}, {.absolute = 1, .relative = {}}),
            "1 of 1 elements differ, by inf at most (4278190080 ulp), first at [0]: inf -> -inf");
  EXPECT_EQ(difference<float>({kNan}, {1}, {.absolute = 1e9, .relative = {}}),
            "1 of 1 elements differ, by nan at most, first at [0]: nan -> 1.0");
}

TEST(WeightDiff, SmallFloats) {
  EXPECT_EQ(difference_as(DataType::kFloat16, {1, 2}, {1, 2.001953125f}),
            "1 of 2 elements differ, by 0.001953125 at most (1 ulp), first at [1]: 2.0 -> "
            "2.0019531");
  EXPECT_EQ(difference_as(DataType::kBfloat16, {-1}, {1}),
            "1 of 1 elements differ, by 2 at most (32512 ulp), first at [0]: -1.0 -> 1.0");
  EXPECT_EQ(difference_as(DataType::kFloat8E4M3FN, {1}, {1.125f}),
            "1 of 1 elements differ, by 0.125 at most (1 ulp), first at [0]: 1.0 -> 1.125");
}

TEST(WeightDiff, IntegersAreExact) {
  EXPECT_EQ(difference<int64_t>({0, std::numeric_limits<int64_t>::min()},
                                {0, std::numeric_limits<int64_t>::max()}),
            "1 of 2 elements differ, by 1.84467441e+19 at most, first at [1]: "
            "-9223372036854775808 -> 9223372036854775807");
  EXPECT_EQ(difference<uint64_t>({UINT64_MAX}, {UINT64_MAX - 1}),
            "1 of 1 elements differ, by 1 at most, first at [0]: 18446744073709551615 -> "
            "18446744073709551614");
  EXPECT_EQ(difference<bool>({true, false}, {true, true}),
            "1 of 2 elements differ, by 1 at most, first at [1]: False -> True");
}

TEST(WeightDiff, PackedTypesAndTexts) {
  const Array a = polygraphy::convert(Array::of<int8_t>({3}, {1, -8, 7}), DataType::kInt4);
  const Array b = polygraphy::convert(Array::of<int8_t>({3}, {1, -8, -7}), DataType::kInt4);
  EXPECT_EQ(difference(a, a.clone()), "equal");
  EXPECT_EQ(difference(a, b), "1 of 3 elements differ, by 14 at most, first at [2]: 7 -> -7");
  EXPECT_EQ(difference(Array::from_strings({2}, {"a", "b"}), Array::from_strings({2}, {"a", "c"})),
            "1 of 2 elements differ, first at [1]: 'b' -> 'c'");
}

TEST(WeightDiff, ManyBlocks) {
  constexpr int64_t kSize = 1'000'003;
  Array a = Array::zeros(DataType::kFloat32, {kSize});
  Array b = Array::zeros(DataType::kFloat32, {kSize});
  EXPECT_EQ(difference(a, b), "equal");
  auto* values = reinterpret_cast<float*>(b.mutable_data());
  values[700'000] = 1;
  values[kSize - 1] = -2;
  EXPECT_EQ(difference(a, b),
            "2 of 1000003 elements differ, by 2 at most (1073741824 ulp), first "
            "at [700000]: 0.0 -> 1.0");
}

TEST(WeightDiff, WhatHasNoValuesIsNotCounted) {
  const auto stripped = stripped_payload(DataType::kFloat32, {2});
  const auto values = owned_payload(Array::of<float>({2}, {1, 2}));
  EXPECT_FALSE(compare_weights(*stripped, *stripped_payload(DataType::kFloat32, {2}), "w", {}));
  const auto diff = compare_weights(*values, *stripped, "w", {});
  ASSERT_TRUE(diff);
  EXPECT_EQ(to_text(*diff), "other values");
}

TEST(WeightDiff, EmptyOnesAreEqual) {
  EXPECT_EQ(difference(Array::zeros(DataType::kFloat32, {0, 3}),
                       Array::zeros(DataType::kFloat32, {0, 3})),
            "equal");
}

}  // namespace
}  // namespace graphsurgeon
