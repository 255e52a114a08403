#include "numerics/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/arrays/convert.h"
#include "base/arrays/numpy_text.h"

namespace polygraphy {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// All elements of a source, read in blocks, as an array of its type.
Array gather(BlockSource& source) {
  Array array = Array::uninitialized(source.dtype(), source.shape());
  const size_t width = source.dtype() == DataType::kFloat32 ? 4 : 8;
  std::vector<int64_t> bools;
  for (int64_t start = 0; start < source.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, source.size() - start);
    const void* block = source.read(start, count);
    if (source.dtype() == DataType::kBool) {
      for (int64_t i = 0; i < count; ++i) {
        array.mutable_data()[start + i] =
            static_cast<std::byte>(static_cast<const int64_t*>(block)[i]);
      }
    } else {
      std::memcpy(array.mutable_data() + static_cast<size_t>(start) * width, block,
                  static_cast<size_t>(count) * width);
    }
  }
  return array;
}

struct Texts {
  std::string absolute, relative;
  int64_t mismatches = 0;
  bool zeros = false;
};

Texts texts(const Array& a, const Array& b, bool infinities_equal = false,
            Tolerances tolerances = {}) {
  Difference difference(a, b, tolerances, infinities_equal);
  Texts result;
  result.absolute = std::string(name_of(difference.absolute().dtype())) +
                    numpy_str(gather(difference.absolute()));
  result.relative = std::string(name_of(difference.relative().dtype())) +
                    numpy_str(gather(difference.relative()));
  result.mismatches = difference.mismatches();
  result.zeros = difference.zeros_in_reference();
  return result;
}

TEST(DifferenceTest, OfFloatsIsComputedInFloat32) {
  const Texts t = texts(Array::of<float>({3}, {1, 2, 4}), Array::of<float>({3}, {1, 2.5, 4.0001f}));
  EXPECT_EQ(t.absolute, "float32[0.000000e+00 5.000000e-01 1.001358e-04]");
  EXPECT_EQ(t.relative, "float32[0.0000000e+00 2.0000000e-01 2.5033323e-05]");
  EXPECT_EQ(t.mismatches, 2);
  EXPECT_FALSE(t.zeros);
}

TEST(DifferenceTest, FromZeroIsDividedByEpsilonForFloatsAndByZeroForIntegers) {
  const Texts floats = texts(Array::of<float>({2}, {0, 1}), Array::of<float>({2}, {0, 0}));
  EXPECT_EQ(floats.relative, "float32[0.0000000e+00 4.5035996e+15]");
  EXPECT_TRUE(floats.zeros);
  EXPECT_EQ(floats.mismatches, 1);
  const Texts ints = texts(Array::of<int32_t>({2}, {0, 1}), Array::of<int32_t>({2}, {0, 0}));
  EXPECT_EQ(ints.relative, "float64[nan inf]");
  EXPECT_FALSE(ints.zeros);
  // 0 against 0: the relative difference is NaN, but the absolute one is within its tolerance.
  EXPECT_EQ(ints.mismatches, 1);
}

TEST(DifferenceTest, NanDiffersFromEverythingAndInfinitiesByChoice) {
  const Array a = Array::of<float>({5}, {kNan, kInf, -kInf, kInf, 1});
  const Array b = Array::of<float>({5}, {kNan, kInf, -kInf, -kInf, kInf});
  EXPECT_EQ(texts(a, b).absolute, "float32[nan nan nan inf inf]");
  EXPECT_EQ(texts(a, b).mismatches, 5);
  const Texts equal = texts(a, b, true);
  EXPECT_EQ(equal.absolute, "float32[nan  0.  0. inf inf]");
  EXPECT_EQ(equal.relative, "float32[nan  0.  0. nan nan]");
  EXPECT_EQ(equal.mismatches, 3);
}

// The original's differences wrap around, so that INT32_MAX against INT32_MIN passes
// with a difference of 1.
TEST(DifferenceTest, OfIntegersDoesNotWrapAround) {
  constexpr auto kMax32 = std::numeric_limits<int32_t>::max();
  constexpr auto kMin32 = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(
      texts(Array::of<int32_t>({2}, {kMax32, kMin32}), Array::of<int32_t>({2}, {kMin32, kMax32}))
          .absolute,
      "int64[4294967295 4294967295]");
  constexpr auto kMax64 = std::numeric_limits<int64_t>::max();
  constexpr auto kMin64 = std::numeric_limits<int64_t>::min();
  const Texts t = texts(Array::of<int64_t>({2}, {kMax64, 5}), Array::of<int64_t>({2}, {kMin64, 7}));
  EXPECT_EQ(t.absolute, "uint64[18446744073709551615                    2]");
  EXPECT_EQ(t.mismatches, 2);
  EXPECT_EQ(texts(Array::of<uint64_t>({2}, {1, 9}), Array::of<uint64_t>({2}, {2, 7})).absolute,
            "uint64[1 2]");
  EXPECT_EQ(texts(Array::of<int64_t>({1}, {0}), Array::of<int64_t>({1}, {kMin64})).relative,
            "float64[1.]");
}

TEST(DifferenceTest, OfBoolsIsExclusiveOr) {
  const Texts t = texts(Array::of<bool>({4}, {true, false, true, false}),
                        Array::of<bool>({4}, {true, true, false, false}));
  EXPECT_EQ(t.absolute, "bool[False  True  True False]");
  EXPECT_EQ(t.relative, "float64[ 0.  1. inf nan]");
}

TEST(DifferenceTest, OfMixedTypesFollowsNumPy) {
  using enum DataType;
  const auto types = [](DataType a, DataType b) {
    const Array one = convert(Array::of<float>({1}, {1}), a),
                two = convert(Array::of<float>({1}, {2}), b);
    Difference difference(one, two, {}, false);
    return std::string(name_of(difference.absolute().dtype())) + " " +
           std::string(name_of(difference.relative().dtype()));
  };
  EXPECT_EQ(types(kFloat16, kFloat32), "float32 float32");
  EXPECT_EQ(types(kBool, kFloat32), "float32 float32");
  EXPECT_EQ(types(kInt8, kFloat16), "float64 float64");
  EXPECT_EQ(types(kInt64, kFloat32), "float64 float64");
  EXPECT_EQ(types(kFloat32, kFloat64), "float64 float64");
  EXPECT_EQ(types(kInt64, kUint64), "float64 float64");
  EXPECT_EQ(types(kBool, kUint64), "uint64 float64");
  EXPECT_EQ(types(kUint32, kInt8), "int64 float64");
  EXPECT_EQ(types(kBool, kInt32), "int64 float64");
  EXPECT_EQ(types(kBfloat16, kFloat8E4M3FN), "float32 float32");
}

TEST(DifferenceTest, OfSmallTypesIsThatOfTheirValues) {
  using enum DataType;
  for (const DataType type : {kFloat16, kBfloat16, kFloat8E4M3FN, kFloat8E5M2, kFloat4E2M1, kInt4,
                              kUint4, kUint2, kInt8}) {
    const Array a = convert(Array::of<float>({5}, {0, 1, 1, 1, 1}), type);
    const Array b = convert(Array::of<float>({5}, {1, 1, 0, 1, 1}), type);
    Difference difference(a, b, {}, false);
    EXPECT_EQ(gather(difference.absolute()).get_double(0), 1) << name_of(type);
    EXPECT_EQ(gather(difference.absolute()).get_double(1), 0) << name_of(type);
    EXPECT_EQ(gather(difference.absolute()).get_double(2), 1) << name_of(type);
    EXPECT_EQ(difference.mismatches(), 2) << name_of(type);
  }
}

TEST(DifferenceTest, OfComplexNumbersIsAMagnitude) {
  using C = std::complex<float>;
  const std::vector<C> x{{1, 1}, {0, 0}, {3, 0}}, y{{1, 1}, {0, 0}, {0, 4}};
  const Array a = Array::view(DataType::kComplex64, {3}, x.data(), nullptr);
  const Array b = Array::view(DataType::kComplex64, {3}, y.data(), nullptr);
  const Texts t = texts(a, b);
  EXPECT_EQ(t.absolute, "float32[0. 0. 5.]");
  EXPECT_EQ(t.relative, "float32[0.   0.   1.25]");
  EXPECT_TRUE(t.zeros);
  EXPECT_EQ(t.mismatches, 1);
}

// float32(1e-3) is a little more than 1e-3: the original compares in double precision.
TEST(DifferenceTest, TolerancesAreNotRounded) {
  const Array a = Array::of<float>({1}, {1e-3f}), b = Array::of<float>({1}, {0});
  EXPECT_EQ(texts(a, b, false, {1e-3, 0}).mismatches, 1);
  EXPECT_EQ(texts(a, b, false, {static_cast<double>(1e-3f), 0}).mismatches, 0);
}

TEST(DifferenceTest, OneToleranceMetIsEnough) {
  const Array a = Array::of<float>({2}, {1, 1000}), b = Array::of<float>({2}, {1.5, 1000.5});
  EXPECT_EQ(texts(a, b, false, {1, 0}).mismatches, 0);
  EXPECT_EQ(texts(a, b, false, {0, 0.1}).mismatches, 1);
  EXPECT_EQ(texts(a, b, false, {0.1, 0.4}).mismatches, 0);
}

// Vector loops, their tails and block ends must not show.
class DifferenceSizeTest : public testing::TestWithParam<int64_t> {};

TEST_P(DifferenceSizeTest, IsTheSameAsElementByElement) {
  const int64_t size = GetParam();
  std::vector<float> x, y;
  std::vector<double> dx, dy;
  for (int64_t i = 0; i < size; ++i) {
    x.push_back(static_cast<float>(std::sin(i)) * (i % 5 == 0 ? 0.f : 1.f));
    y.push_back(i % 3 == 0 ? x.back() : static_cast<float>(std::cos(i)) * (i % 7 == 0 ? 0.f : 1.f));
    if (i % 101 == 50) x.back() = kNan;
    dx.push_back(x.back());
    dy.push_back(y.back());
  }
  const auto check = [&]<typename T>(const std::vector<T>& a, const std::vector<T>& b) {
    Difference difference(Array::of<T>({size}, a), Array::of<T>({size}, b), {0.5, 0.25}, false);
    const Array absolute = gather(difference.absolute()), relative = gather(difference.relative());
    int64_t mismatches = 0;
    bool zeros = false;
    for (int64_t i = 0; i < size; ++i) {
      const T d = std::abs(a[i] - b[i]);
      const T r =
          d / (b[i] == 0 ? static_cast<T>(std::numeric_limits<double>::epsilon()) : std::abs(b[i]));
      const T got_d = absolute.as<T>()[i], got_r = relative.as<T>()[i];
      ASSERT_TRUE(got_d == d || (std::isnan(d) && std::isnan(got_d))) << i;
      ASSERT_TRUE(got_r == r || (std::isnan(r) && std::isnan(got_r))) << i;
      mismatches += (d > 0.5 || std::isnan(d)) && (r > 0.25 || std::isnan(r));
      zeros |= b[i] == 0;
    }
    // Read twice, counted once.
    EXPECT_EQ(difference.mismatches(), mismatches);
    EXPECT_EQ(difference.zeros_in_reference(), zeros);
  };
  check(x, y);
  check(dx, dy);
}

INSTANTIATE_TEST_SUITE_P(Sizes, DifferenceSizeTest,
                         testing::Values(0, 1, 7, 8, 9, 63, 8191, 8192, 8193, 20000));

TEST(DifferenceTest, ReadsStridedArrays) {
  const std::vector<float> values{0, 1, 2, 3, 4, 5};
  const Array array = Array::of<float>({2, 3}, values);
  const std::vector<int64_t> axes{1, 0};
  const Texts t = texts(array.transposed(axes), Array::of<float>({3, 2}, {0, 3, 1, 4, 2, 6}));
  EXPECT_EQ(t.absolute, "float32[[0. 0.]\n [0. 0.]\n [0. 1.]]");
}

TEST(DifferenceTest, StringsHaveNone) {
  EXPECT_FALSE(Difference::possible(DataType::kString, DataType::kString));
  EXPECT_FALSE(Difference::possible(DataType::kFloat32, DataType::kString));
  EXPECT_TRUE(Difference::possible(DataType::kBool, DataType::kFloat8E5M2));
}

Array copy_of(const Array& array) {
  Array copy = Array::uninitialized(array.dtype(), array.shape());
  std::memcpy(copy.mutable_data(), array.data(), static_cast<size_t>(array.nbytes()));
  return copy;
}

// Statistics and counts of two arrays, by Difference::statistics() or from the differences read.
std::string figures(const Array& a, const Array& b, Tolerances tolerances, bool from_differences) {
  const std::vector<double> quantiles{0.3};
  Difference difference(a, b, tolerances, false);
  std::vector<Statistics> all;
  if (from_differences) {
    BlockSource* const sources[] = {&difference.absolute(), &difference.relative(), difference.a(),
                                    difference.b()};
    all = compute_statistics(sources, quantiles);
  } else {
    all = difference.statistics(true, quantiles);
  }
  std::string text = std::to_string(difference.mismatches()) + " mismatches" +
                     (difference.zeros_in_reference() ? ", zeros" : "");
  for (const Statistics& s : all) {
    text += "\n" + std::string(name_of(s.dtype)) + " " + to_text(s) +
            ", quantile=" + std::to_string(s.extra_quantiles.front());
  }
  return text;
}

TEST(Difference, StatisticsOfEqualArraysAreThoseOfTheirDifferences) {
  const std::vector<Array> arrays{
      Array::of<float>({4}, std::vector<float>{1, -2, 3, 4}),
      Array::of<float>({4}, std::vector<float>{1, -2, 0, 4}),
      Array::of<float>({2}, std::vector<float>{-0.0F, -1}),
      Array::of<float>({2}, std::vector<float>{1e-45F, -1}),
      Array::of<float>({2}, std::vector<float>{kInf, 1}),
      Array::of<float>({2}, std::vector<float>{kNan, 1}),
      Array::of<double>({3}, std::vector<double>{1, 0, -5}),
      Array::of<int32_t>({3}, std::vector<int32_t>{1, 0, -5}),
      convert(Array::of<float>({3}, std::vector<float>{1, -0.5F, 7}), DataType::kFloat16),
      Array::zeros(DataType::kFloat32, {0}),
  };
  for (const Array& a : arrays) {
    const Array b = copy_of(a);
    for (const Tolerances tolerances : {Tolerances{}, Tolerances{0, 0}, Tolerances{-1, -1}}) {
      EXPECT_EQ(figures(a, b, tolerances, false), figures(a, b, tolerances, true));
    }
  }
}

TEST(Difference, ReadingDifferencesOfEqualArraysLaterChangesNoCount) {
  const Array a = Array::of<float>({3}, std::vector<float>{1, 0, -2});
  Difference difference(a, copy_of(a), {-1, -1}, false);
  difference.statistics(false, {});
  EXPECT_EQ(numpy_str(gather(difference.relative())), "[0. 0. 0.]");
  EXPECT_EQ(difference.mismatches(), 3);
  EXPECT_TRUE(difference.zeros_in_reference());
}

}  // namespace
}  // namespace polygraphy
