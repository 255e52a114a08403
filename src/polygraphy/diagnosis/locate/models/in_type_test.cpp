#include "polygraphy/diagnosis/locate/models/in_type.h"

#include <gtest/gtest.h>

#include <vector>

namespace polygraphy {
namespace {

std::vector<double> numbers_of(const Array& array) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < array.size(); ++i) numbers.push_back(array.get_double(i));
  return numbers;
}

TEST(InType, RoundsFloatsToTheOtherType) {
  const Array wide = Array::of<float>({3}, {1, 1.0001F, 2049});
  const Array half = in_type(wide, DataType::kFloat16);
  EXPECT_EQ(half.dtype(), DataType::kFloat16);
  EXPECT_EQ(numbers_of(half), (std::vector<double>{1, 1, 2048}));
  EXPECT_EQ(in_type(half, DataType::kFloat32).dtype(), DataType::kFloat32);
}

// A token is the same number for a model in any format.
TEST(InType, LeavesOtherNumbers) {
  const Array tokens = Array::of<int64_t>({2}, {7, 50256});
  EXPECT_EQ(in_type(tokens, DataType::kFloat16).dtype(), DataType::kInt64);
  const Array wide = Array::of<float>({1}, {2.5F});
  EXPECT_EQ(in_type(wide, DataType::kInt32).dtype(), DataType::kFloat32);
}

TEST(InType, TellsNumbersBeyondTheRange) {
  const Array large = Array::of<float>({2}, {1, 1e5F});
  EXPECT_TRUE(exceeds_type(large, in_type(large, DataType::kFloat16)));
  EXPECT_FALSE(exceeds_type(large, in_type(large, DataType::kBfloat16)));
  const Array within = Array::of<float>({2}, {1, 65504});
  EXPECT_FALSE(exceeds_type(within, in_type(within, DataType::kFloat16)));
}

}  // namespace
}  // namespace polygraphy
