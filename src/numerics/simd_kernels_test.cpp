#include "numerics/simd_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace polygraphy {
namespace {

// All forms that this processor can run, the portable one first.
template <typename T>
std::vector<const SimdKernels<T>*> all_forms() {
  std::vector<const SimdKernels<T>*> forms;
  for (const InstructionSet set :
       {InstructionSet::kBaseline, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    if (set <= instruction_set()) forms.push_back(&simd_kernels<T>(set));
  }
  return forms;
}

template <typename T>
class SimdKernelsTest : public testing::Test {
 protected:
  // Around nothing, with ties; of floats, also zeros of both signs and infinities.
  std::vector<T> elements(size_t count) {
    std::vector<T> x;
    for (size_t i = 0; i < count; ++i) {
      const int roll = std::uniform_int_distribution(0, 20)(random_);
      if constexpr (std::is_floating_point_v<T>) {
        constexpr T kInfinity = std::numeric_limits<T>::infinity();
        const T special[] = {0, T{-0.0}, kInfinity, -kInfinity, 1};
        x.push_back(roll < 5 ? special[roll] : std::normal_distribution<T>(0, 1)(random_));
      } else {
        x.push_back(static_cast<T>(std::uniform_int_distribution(-50, 50)(random_)));
      }
    }
    return x;
  }
  std::vector<T> finite(size_t count) {
    std::vector<T> x = elements(count);
    std::erase_if(x, [](T v) { return v - v != T{0}; });
    x.resize(count, T{1});
    return x;
  }

  std::mt19937 random_{7};
};

using ComputeTypes = testing::Types<float, double, int64_t, uint64_t>;
TYPED_TEST_SUITE(SimdKernelsTest, ComputeTypes);

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

TYPED_TEST(SimdKernelsTest, LeavesAreSummedToTheSameBits) {
  using T = TypeParam;
  if constexpr (std::is_floating_point_v<T>) {
    for (const int count : {1, 7, 8, 9, 40, 127, 128}) {
      const std::vector<T> x = this->finite(128);
      T sums[2], squares = 0;
      simd_kernels<T>(InstructionSet::kBaseline).leaf_sums(x.data(), count, sums, 0);
      simd_kernels<T>(InstructionSet::kBaseline).leaf_squares(x.data(), count, &squares, T{0.3});
      for (const auto* form : all_forms<T>()) {
        T got[2], got_squares = 0;
        form->leaf_sums(x.data(), count, got, 0);
        form->leaf_squares(x.data(), count, &got_squares, T{0.3});
        EXPECT_TRUE(same_bits(got[0], sums[0])) << count;
        EXPECT_TRUE(same_bits(got[1], sums[1])) << count;
        EXPECT_TRUE(same_bits(got_squares, squares)) << count;
      }
    }
  }
}

TYPED_TEST(SimdKernelsTest, EightLeavesAreTheTreeOverEight) {
  using T = TypeParam;
  if constexpr (std::is_floating_point_v<T>) {
    const auto tree = [](const T* s) {
      return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    };
    for (const int count : {8, 72, 120, 128}) {
      const std::vector<T> x = this->finite(8 * static_cast<size_t>(count));
      for (const auto* form : all_forms<T>()) {
        T sums[8], abs_sums[8], squares[8];
        for (int i = 0; i < 8; ++i) {
          T leaf[2];
          form->leaf_sums(x.data() + i * count, count, leaf, 0);
          sums[i] = leaf[0];
          abs_sums[i] = leaf[1];
          form->leaf_squares(x.data() + i * count, count, &squares[i], T{0.3});
        }
        T got[2], got_squares = 0;
        form->eight_sums(x.data(), count, got, 0);
        form->eight_squares(x.data(), count, &got_squares, T{0.3});
        EXPECT_TRUE(same_bits(got[0], tree(sums))) << count;
        EXPECT_TRUE(same_bits(got[1], tree(abs_sums))) << count;
        EXPECT_TRUE(same_bits(got_squares, tree(squares))) << count;
      }
    }
  }
}

TYPED_TEST(SimdKernelsTest, ExtremesAreThoseOfASearch) {
  using T = TypeParam;
  for (const size_t count : {1, 3, 15, 16, 63, 64, 65, 127, 128, 200, 1000}) {
    const std::vector<T> x = this->elements(count);
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    for (const auto* form : all_forms<T>()) {
      const Extremes<T> e = form->extremes(x.data(), static_cast<int64_t>(count));
      EXPECT_EQ(e.min, *least) << count;
      EXPECT_EQ(e.max, *most) << count;
      EXPECT_FALSE(e.has_nan) << count;
    }
  }
}

TYPED_TEST(SimdKernelsTest, OneNanIsSeenWhereverItIs) {
  using T = TypeParam;
  if constexpr (std::is_floating_point_v<T>) {
    for (size_t at = 0; at < 200; ++at) {
      std::vector<T> x = this->elements(200);
      x[at] = std::numeric_limits<T>::quiet_NaN();
      for (const auto* form : all_forms<T>()) {
        EXPECT_TRUE(form->extremes(x.data(), 200).has_nan) << at;
      }
    }
  }
}

TYPED_TEST(SimdKernelsTest, EveryFormClassifiesAlike) {
  using T = TypeParam;
  for (const size_t collecting : {0, 4, 8, 12}) {
    for (const size_t counting : {0, 4, 8, 12}) {
      if (collecting + counting == 0) continue;
      for (const size_t count : {1, 15, 16, 17, 100, 8192, 8197}) {
        Thresholds<T> thresholds;
        thresholds.values = this->finite(collecting + counting);
        thresholds.collecting = collecting;
        std::sort(thresholds.values.begin(),
                  thresholds.values.begin() + static_cast<ptrdiff_t>(collecting));
        thresholds.at_or_above.assign(collecting + counting, 3);
        const std::vector<T> x = this->elements(count);

        std::vector<int64_t> above;
        for (const T t : thresholds.values) {
          above.push_back(3 + std::count_if(x.begin(), x.end(), [t](T v) { return v >= t; }));
        }
        std::vector<T> inside;
        for (const T v : x) {
          int ends = 0;
          for (size_t k = 0; k < collecting; ++k) ends += v >= thresholds.values[k];
          if (ends % 2 == 1) inside.push_back(v);
        }
        for (const auto* form : all_forms<T>()) {
          Thresholds<T> t = thresholds;
          std::vector<T> out(count);
          const int64_t found =
              form->classify(x.data(), static_cast<int64_t>(count), t, out.data());
          const std::string where = std::to_string(collecting) + " + " + std::to_string(counting) +
                                    " of " + std::to_string(count);
          EXPECT_EQ(t.at_or_above, above) << where;
          ASSERT_EQ(found, static_cast<int64_t>(inside.size())) << where;
          for (size_t i = 0; i < inside.size(); ++i) {
            ASSERT_TRUE(same_bits(out[i], inside[i])) << where << ", " << i;
          }
        }
      }
    }
  }
}

TYPED_TEST(SimdKernelsTest, EveryFormPartitionsAtThePivot) {
  using T = TypeParam;
  for (const Side side : {Side::kBelow, Side::kNotAbove}) {
    for (const size_t count : {1, 16, 17, 333}) {
      const std::vector<T> x = this->elements(count);
      const T pivot = x[count / 2];
      const auto first = [&](T v) { return side == Side::kBelow ? v < pivot : !(pivot < v); };
      std::vector<T> sorted = x;
      std::sort(sorted.begin(), sorted.end());
      for (const auto* form : all_forms<T>()) {
        std::vector<T> got = x, scratch(count);
        const int64_t middle =
            form->partition(got.data(), static_cast<int64_t>(count), pivot, side, scratch.data());
        EXPECT_EQ(middle, std::count_if(x.begin(), x.end(), first));
        EXPECT_TRUE(std::is_partitioned(got.begin(), got.end(), first));
        std::sort(got.begin(), got.end());
        EXPECT_EQ(got, sorted);
      }
    }
  }
}

TYPED_TEST(SimdKernelsTest, EveryFormCountsEdgesAlike) {
  using T = TypeParam;
  for (const size_t count : {1, 7, 16, 33, 1000}) {
    const std::vector<T> x = this->elements(count), edges = this->finite(kInnerEdges);
    std::vector<int64_t> expected;
    for (const T edge : edges) {
      expected.push_back(std::count_if(x.begin(), x.end(), [edge](T v) { return v >= edge; }));
    }
    for (const auto* form : all_forms<T>()) {
      std::vector<int64_t> above(kInnerEdges, 0);
      form->count_edges(x.data(), static_cast<int64_t>(count), edges.data(), above.data());
      EXPECT_EQ(above, expected) << count;
    }
  }
}

}  // namespace
}  // namespace polygraphy
