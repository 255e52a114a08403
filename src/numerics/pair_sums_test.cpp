#include "numerics/pair_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

namespace polygraphy {
namespace {

constexpr unsigned kAll = PairSums::kDifference | PairSums::kSquaresA | PairSums::kSquaresB |
                          PairSums::kProduct | PairSums::kPeak;

PairSums sums(const Array& a, const Array& b) {
  return compute_pair_sums(a, b, kAll);
}

// Values spread over [0, 1) by a formula that NumPy repeats exactly.
Array spread(int64_t size, uint64_t seed) {
  std::vector<float> values(static_cast<size_t>(size));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(
        static_cast<double>(((i + seed) * 2654435761u) % (uint64_t{1} << 32)) / 4294967296.0);
  }
  return Array::of<float>({size}, values);
}

TEST(PairSums, SumsOverTwoArrays) {
  const PairSums s = sums(Array::of<float>({3}, {1, 2, -3}), Array::of<float>({3}, {1, 4, 0}));
  EXPECT_EQ(s.size, 3);
  EXPECT_EQ(s.squared_difference, 13);
  EXPECT_EQ(s.squares_a, 14);
  EXPECT_EQ(s.squares_b, 17);
  EXPECT_EQ(s.product, 9);
  EXPECT_EQ(s.peak, 2);
}

// Every bit, over many blocks. i = np.arange(100003, dtype='u8');
// f = lambda s: (((i + s) * 2654435761 % 2**32) / 2**32).astype('f4'); a, b = f(1), f(7)
// np.sum(np.power((a - b).astype('f8'), 2)), np.sum(np.power(a.astype('f8'), 2)), np.sum(a * b)
TEST(PairSums, AreNumPysToTheLastBit) {
  const PairSums s = sums(spread(100003, 1), spread(100003, 7));
  EXPECT_EQ(s.squared_difference, 0x1.42e7ca68b652ep+14);
  EXPECT_EQ(s.squares_a, 0x1.046c64ef5397ep+15);
  EXPECT_EQ(s.squares_b, 0x1.046dbecf006c6p+15);
  EXPECT_EQ(s.product, 0x1.67663e0000000p+14);
  EXPECT_EQ(s.peak, 0x1.ffffa60000000p-1);
}

TEST(PairSums, IntegersDoNotWrap) {
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max(),
                    kMin = std::numeric_limits<int32_t>::min();
  const PairSums s = sums(Array::of<int32_t>({2}, {kMax, 1}), Array::of<int32_t>({2}, {kMin, 1}));
  EXPECT_EQ(std::sqrt(s.squared_difference), 4294967295.0);
  EXPECT_EQ(s.product, 1 + static_cast<double>(kMax) * kMin);
  constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();
  const PairSums u = sums(Array::of<uint64_t>({1}, {1}), Array::of<uint64_t>({1}, {kHuge}));
  EXPECT_EQ(u.squared_difference, std::pow(2.0, 128));
}

TEST(PairSums, BoolsCountAsZeroAndOne) {
  const PairSums s = sums(Array::of<bool>({4}, {true, true, false, false}),
                          Array::of<bool>({4}, {true, false, true, false}));
  EXPECT_EQ(s.squared_difference, 2);
  EXPECT_EQ(s.squares_a, 2);
  EXPECT_EQ(s.product, 1);
  EXPECT_EQ(s.peak, 1);
}

TEST(PairSums, MixedTypesMeetInDouble) {
  const PairSums s = sums(Array::of<float>({2}, {1.5, 2}), Array::of<int32_t>({2}, {1, 2}));
  EXPECT_EQ(s.squared_difference, 0.25);
  EXPECT_EQ(s.product, 5.5);
}

TEST(PairSums, ComplexNumbersByMagnitude) {
  const std::vector<std::complex<float>> a{{3, 4}, {0, 1}}, b{{0, 0}, {1, 0}};
  const auto view = [](const std::vector<std::complex<float>>& v) {
    return Array::view(DataType::kComplex64, {2}, v.data(), nullptr);
  };
  const PairSums s = sums(view(a), view(b));
  EXPECT_DOUBLE_EQ(s.squared_difference, 27);
  EXPECT_EQ(s.squares_a, 26);
  EXPECT_EQ(s.product, 0);
  EXPECT_EQ(s.peak, 5);
}

TEST(PairSums, NanIsThePeak) {
  EXPECT_TRUE(
      std::isnan(sums(Array::of<float>({3}, {1, NAN, 2}), Array::of<float>({3}, {1, 1, 1})).peak));
}

TEST(PairSums, OfNothing) {
  const PairSums s =
      sums(Array::zeros(DataType::kFloat32, {0}), Array::zeros(DataType::kFloat32, {0}));
  EXPECT_EQ(s.size, 0);
  EXPECT_EQ(s.squared_difference, 0);
}

TEST(PairSums, ComputesWhatIsWanted) {
  const PairSums s = compute_pair_sums(Array::of<float>({1}, {2}), Array::of<float>({1}, {3}),
                                       PairSums::kSquaresA);
  EXPECT_EQ(s.computed, PairSums::kSquaresA);
  EXPECT_EQ(s.squares_a, 4);
}

}  // namespace
}  // namespace polygraphy
