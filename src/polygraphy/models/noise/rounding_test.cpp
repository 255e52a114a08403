#include "polygraphy/models/noise/rounding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace polygraphy {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;

std::vector<float> rounded(std::initializer_list<float> numbers, NumberFormat format,
                           std::optional<uint64_t> seed = std::nullopt) {
  const Array array =
      Array::of<float>({static_cast<int64_t>(numbers.size())}, std::span<const float>(numbers));
  const Array result = round_to(array, format, seed);
  const auto values = result.as<float>();
  return {values.begin(), values.end()};
}

TEST(Rounding, ToNearest) {
  EXPECT_THAT(rounded({1.0f, 1.00390625f, 3.14159265f}, NumberFormat::kBfloat16),
              ElementsAre(1.0f, 1.0f, 3.140625f));
  EXPECT_THAT(rounded({70000.0f, 1e-9f}, NumberFormat::kFloat16),
              ElementsAre(std::numeric_limits<float>::infinity(), 0.0f));
  EXPECT_THAT(rounded({1.00048828125f, 1.0007f}, NumberFormat::kTf32),
              ElementsAre(1.0f, 1.0009765625f));
  EXPECT_THAT(rounded({1.06f, -3.3f}, NumberFormat::kFloat8E4M3FN), ElementsAre(1.0f, -3.25f));
  EXPECT_THAT(rounded({127.0f, 0.4f, -63.6f}, NumberFormat::kInt8),
              ElementsAre(127.0f, 0.0f, -64.0f));
  EXPECT_THAT(rounded({0.1f}, NumberFormat::kFloat32), ElementsAre(0.1f));
}

TEST(Rounding, WhatAFormatHoldsStays) {
  for (const NumberFormat format : {NumberFormat::kBfloat16, NumberFormat::kFloat16,
                                    NumberFormat::kTf32, NumberFormat::kFloat8E4M3FN}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      EXPECT_THAT(rounded({1.0f, 1.5f, -0.25f, 0.0f, 4.0f}, format, seed),
                  ElementsAre(1.0f, 1.5f, -0.25f, 0.0f, 4.0f))
          << name_of(format) << seed;
    }
  }
}

TEST(Rounding, TheMeanOfStochasticRoundingIsTheNumber) {
  // Between 1 and 1 + 2^-7, a quarter of the way up.
  const std::vector<float> many(40000, 1.001953125f);
  const Array array = Array::of<float>({40000}, std::span<const float>(many));
  const Array result = round_to(array, NumberFormat::kBfloat16, 7);
  EXPECT_THAT(result.as<float>(), Each(AnyOf(1.0f, 1.0078125f)));
  double sum = 0;
  for (const float number : result.as<float>()) sum += number;
  EXPECT_NEAR(sum / 40000, 1.001953125, 1e-4);
}

TEST(Rounding, OfFloat32IsANeighbour) {
  for (const float number : rounded({3.0f, 3.0f, 3.0f, 3.0f, 3.0f}, NumberFormat::kFloat32, 3)) {
    EXPECT_LE(std::fabs(number - 3.0f), std::nextafter(3.0f, 4.0f) - 3.0f);
  }
}

TEST(Rounding, KeepsTypesAndWhatIsNoFloat) {
  const Array whole = Array::of<int64_t>({2}, {3, 4});
  EXPECT_TRUE(bitwise_equal(round_to(whole, NumberFormat::kBfloat16, 1), whole));
  const Array wide = Array::of<double>({1}, {1.00000000001});
  EXPECT_EQ(round_to(wide, NumberFormat::kFloat16).dtype(), DataType::kFloat64);
}

// Seeds of evaluations follow one another.
TEST(Rounding, NeighbouringSeedsRoundIndependently) {
  const Array halfway = Array::of<float>({1000}, std::vector<float>(1000, 1 + 0x1p-11f));
  const Array one = round_to(halfway, NumberFormat::kFloat16, 7),
              other = round_to(halfway, NumberFormat::kFloat16, 8);
  int alike = 0;
  for (size_t i = 0; i < 1000; ++i) alike += one.as<float>()[i] == other.as<float>()[i];
  EXPECT_GT(alike, 400);
  EXPECT_LT(alike, 600);
}

}  // namespace
}  // namespace polygraphy
