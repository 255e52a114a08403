#include "numerics/equal_arrays.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/arrays/convert.h"
#include "numerics/block_source.h"

namespace polygraphy {
namespace {

constexpr int64_t kSeveralBlocks = 3 * BlockSource::kBlockElements + 5;

Array floats(std::vector<float> values) {
  const auto size = static_cast<int64_t>(values.size());
  return Array::of<float>({size}, values);
}

TEST(EqualArrays, HaveTypeShapeAndBytesInCommon) {
  const Array a = floats({1, 2, 3, 4});
  EXPECT_TRUE(same_bytes(a, floats({1, 2, 3, 4})));
  EXPECT_FALSE(same_bytes(a, floats({1, 2, 3, 5})));
  EXPECT_FALSE(same_bytes(floats({0}), floats({-0.0F})));
  EXPECT_FALSE(same_bytes(a, Array::of<float>({2, 2}, std::vector<float>{1, 2, 3, 4})));
  EXPECT_FALSE(same_bytes(Array::of<int32_t>({1}, std::vector<int32_t>{0}), floats({0})));
  EXPECT_FALSE(same_bytes(Array::from_strings({1}, {"a"}), Array::from_strings({1}, {"a"})));
}

TEST(EqualArrays, ZerosAreFoundWhereverTheyAre) {
  std::vector<float> values(kSeveralBlocks);
  for (size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 1 : -1;
  const auto found = [&] {
    const Array as_float = floats(values);
    const Array as_double = convert(as_float, DataType::kFloat64);
    const bool zeros = has_zeros(as_float, compute_statistics(as_float));
    EXPECT_EQ(has_zeros(as_double, compute_statistics(as_double)), zeros);
    return zeros;
  };
  EXPECT_FALSE(found());
  for (const size_t place : {size_t{0}, size_t{8191}, size_t{8192}, values.size() - 1}) {
    const float before = std::exchange(values[place], place % 2 == 0 ? 0.0F : -0.0F);
    EXPECT_TRUE(found()) << place;
    values[place] = before;
  }
}

TEST(EqualArrays, ExtremesDecideAboutZeros) {
  for (const auto& [values, zeros] : std::vector<std::pair<std::vector<float>, bool>>{
           {{1, 2}, false}, {{-2, -1}, false}, {{0, 1}, true}, {{-1, 0}, true}}) {
    const Array array = floats(values);
    EXPECT_EQ(has_zeros(array, compute_statistics(array)), zeros) << values.front();
  }
}

TEST(EqualArrays, StatisticsOfZerosAreThoseComputed) {
  const std::vector<double> quantiles{0, 0.3, 1};
  for (const DataType type : {DataType::kFloat32, DataType::kFloat64}) {
    for (const int64_t size : {int64_t{1}, int64_t{2}, int64_t{40000}}) {
      const Array array = Array::zeros(type, {1, size});
      const Statistics computed = compute_statistics(array, quantiles);
      const Statistics known = statistics_of_zeros(type, array.shape(), quantiles.size());
      EXPECT_EQ(to_text(known), to_text(computed));
      EXPECT_EQ(known.extra_quantiles, computed.extra_quantiles);
      EXPECT_EQ(known.size, computed.size);
      EXPECT_EQ(known.has_nan, computed.has_nan);
    }
  }
}

}  // namespace
}  // namespace polygraphy
