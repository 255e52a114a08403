#include "numerics/difference_kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace polygraphy {
namespace {

template <typename T>
struct Outcome {
  std::vector<T> absolute, relative;
  DifferenceCounts counts;
};

template <typename T>
Outcome<T> outcome(InstructionSet set, const std::vector<T>& a, const std::vector<T>& b,
                   const DifferenceParameters<T>& parameters) {
  Outcome<T> o{std::vector<T>(a.size()), std::vector<T>(a.size()), {}};
  o.counts = difference_kernel<T>(set)(a.data(), b.data(), static_cast<int>(a.size()),
                                       o.absolute.data(), o.relative.data(), parameters);
  return o;
}

template <typename T>
class DifferenceKernelsTest : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(DifferenceKernelsTest, Floats);

// The portable form is held against plain arithmetic in difference_test.cpp.
TYPED_TEST(DifferenceKernelsTest, EveryFormGivesTheSameBits) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  std::mt19937 random(5);
  const T special[] = {0,
                       T{-0.0},
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::denorm_min(),
                       Limits::max(),
                       T{0.5}};
  const auto element = [&]() -> T {
    const size_t roll = std::uniform_int_distribution<size_t>(0, 20)(random);
    return roll < std::size(special) ? special[roll] : std::normal_distribution<T>(0, 1)(random);
  };
  for (const size_t size : {0, 1, 7, 8, 15, 16, 17, 31, 33, 100, 1023}) {
    std::vector<T> a, b;
    for (size_t i = 0; i < size; ++i) {
      a.push_back(element());
      b.push_back(i % 3 == 0 ? a.back() : element());
    }
    for (const bool infinities_equal : {false, true}) {
      for (const T tolerance : {T{0}, T{0.5}, T{-1}, Limits::infinity(), Limits::quiet_NaN()}) {
        const DifferenceParameters<T> parameters{tolerance, T{0.25}, Limits::epsilon(),
                                                 infinities_equal};
        const Outcome<T> expected = outcome(InstructionSet::kBaseline, a, b, parameters);
        for (const InstructionSet set : {InstructionSet::kAvx2, InstructionSet::kAvx512}) {
          if (set > instruction_set()) continue;
          const Outcome<T> got = outcome(set, a, b, parameters);
          EXPECT_EQ(got.counts.mismatches, expected.counts.mismatches) << size;
          EXPECT_EQ(got.counts.zeros, expected.counts.zeros) << size;
          for (size_t i = 0; i < size; ++i) {
            ASSERT_EQ(std::memcmp(&got.absolute[i], &expected.absolute[i], sizeof(T)), 0)
                << a[i] << " - " << b[i];
            ASSERT_EQ(std::memcmp(&got.relative[i], &expected.relative[i], sizeof(T)), 0)
                << a[i] << " - " << b[i];
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace polygraphy
