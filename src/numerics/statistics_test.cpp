#include "numerics/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::string stats(const Array& array) {
  return to_text(compute_statistics(array));
}

// u(i) = (i * 2654435761 mod 2^32) / 2^32: evenly spread over [0, 1), the same in any language.
template <typename F>
Array spread(Shape shape, DataType type, F value) {
  Array array = Array::zeros(DataType::kFloat64, std::move(shape));
  auto* x = reinterpret_cast<double*>(array.mutable_data());
  for (int64_t i = 0; i < array.size(); ++i) {
    x[i] =
        value(static_cast<double>(static_cast<uint32_t>(static_cast<uint64_t>(i) * 2654435761u)) /
              4294967296.0);
  }
  return convert(array, type);
}

const auto as_it_is = [](double u) { return u; };

// The expected texts are those of the original with NumPy 2.4.

TEST(Statistics, OfFloats) {
  EXPECT_EQ(stats(Array::of<float>({2, 2}, {1, -2, 3, 0.5})),
            "mean=0.625, std-dev=1.781, var=3.1719, median=0.75, min=-2 at (0, 1), "
            "max=3 at (1, 0), avg-magnitude=1.625, p90=2.4, p95=2.7, p99=2.94");
  EXPECT_EQ(
      stats(spread({300007}, DataType::kFloat32, as_it_is)),
      "mean=0.5, std-dev=0.28868, var=0.083334, median=0.5, min=0 at (0,), max=1 at (50549,), "
      "avg-magnitude=0.5, p90=0.9, p95=0.95, p99=0.99");
  EXPECT_EQ(stats(spread({129}, DataType::kFloat32, as_it_is)),
            "mean=0.49216, std-dev=0.29005, var=0.084129, median=0.49032, min=0 at (0,), "
            "max=0.99187 at (55,), avg-magnitude=0.49216, p90=0.88955, p95=0.94102, p99=0.98233");
  EXPECT_EQ(stats(spread({1000}, DataType::kFloat64, as_it_is)),
            "mean=0.49998, std-dev=0.2887, var=0.08335, median=0.49977, min=0 at (0,), "
            "max=0.99954 at (987,), avg-magnitude=0.49998, p90=0.89944, p95=0.94933, p99=0.98951");
}

TEST(Statistics, HalfAreZero) {  // one bracket of the selection ends at a heavy tie
  EXPECT_EQ(stats(spread({2, 1, 200, 333}, DataType::kFloat32,
                         [](double u) { return std::max(u - .5, 0.); })),
            "mean=0.125, std-dev=0.16137, var=0.026041, median=5.5676e-06, min=0 at (0, 0, 0, 0), "
            "max=0.5 at (0, 0, 151, 266), avg-magnitude=0.125, p90=0.39999, p95=0.44999, "
            "p99=0.48999");
}

TEST(Statistics, Float16RoundsAsNumpyDoes) {
  const auto value = [](double u) { return u * 60 - 30; };
  EXPECT_EQ(stats(spread({300007}, DataType::kFloat16, value)),
            "mean=-0.00010566, std-dev=17.321, var=300, median=-6.9201e-05, min=-30 at (0,), "
            "max=30 at (6765,), avg-magnitude=15, p90=24, p95=27, p99=29.406");
  EXPECT_EQ(stats(spread({129}, DataType::kFloat16, value)),
            "mean=-0.46947, std-dev=17.403, var=302.86, median=-0.58105, min=-30 at (0,), "
            "max=29.516 at (55,), avg-magnitude=15.067, p90=23.375, p95=26.469, p99=28.938");
}

TEST(Statistics, OfIntegers) {
  EXPECT_EQ(
      stats(spread({300007}, DataType::kInt8, [](double u) { return std::floor(u * 255 - 127); })),
      "mean=-0.00045332, std-dev=73.612, var=5418.7, median=0, min=-127 at (0,), "
      "max=127 at (144,), avg-magnitude=63.749, p90=102, p95=115, p99=125");
  EXPECT_EQ(
      stats(spread({300007}, DataType::kUint16, [](double u) { return std::floor(u * 65535); })),
      "mean=32767, std-dev=18918, var=3.579e+08, median=32767, min=0 at (0,), "
      "max=65534 at (50549,), avg-magnitude=32767, p90=58981, p95=62257, p99=64879");
  EXPECT_EQ(stats(spread({2, 1, 200, 333}, DataType::kInt32,
                         [](double u) { return std::floor(u * 2e6 - 1e6); })),
            "mean=-5.5347, std-dev=5.7735e+05, var=3.3333e+11, median=10.5, "
            "min=-1e+06 at (0, 0, 0, 0), max=9.9999e+05 at (0, 0, 151, 266), avg-magnitude=5e+05, "
            "p90=7.9999e+05, p95=8.9997e+05, p99=9.7998e+05");
  EXPECT_EQ(stats(Array::of<uint64_t>({2}, {uint64_t{1} << 63, ~uint64_t{0}})),
            "mean=1.3835e+19, std-dev=4.6117e+18, var=2.1268e+37, median=1.3835e+19, "
            "min=9.2234e+18 at (0,), max=1.8447e+19 at (1,), avg-magnitude=1.3835e+19, "
            "p90=1.7524e+19, p95=1.7986e+19, p99=1.8355e+19");
}

TEST(Statistics,
     NarrowIntegersDoNotWrap) {  // NumPy: avg-magnitude=0.5 (|-128| = -128), p90=50.6 or worse
  const Statistics s = compute_statistics(Array::of<int8_t>({2}, {-128, 127}));
  EXPECT_DOUBLE_EQ(s.avg_magnitude, 127.5);
  EXPECT_DOUBLE_EQ(s.p90, 101.5);
}

TEST(Statistics, OfBools) {
  EXPECT_EQ(stats(Array::of<bool>({3}, {true, false, true})),
            "mean=0.66667, std-dev=0.4714, var=0.22222, median=1, min=0 at (1,), max=1 at (0,), "
            "avg-magnitude=0.66667");
}

TEST(Statistics, OfScalarsAndNothing) {
  EXPECT_EQ(stats(Array::of<double>({}, {3.5})),
            "mean=3.5, std-dev=0, var=0, median=3.5, min=3.5 at (), max=3.5 at (), "
            "avg-magnitude=3.5, p90=3.5, p95=3.5, p99=3.5");
  const char* const nothing =
      "mean=nan, std-dev=0, var=0, median=0, min=0 at 0, max=0 at 0, avg-magnitude=nan";
  EXPECT_EQ(stats(Array::zeros(DataType::kFloat32, {0, 3})),
            std::string(nothing) + ", p90=inf, p95=inf, p99=inf");
  EXPECT_EQ(stats(Array::zeros(DataType::kBool, {0})), nothing);
}

TEST(Statistics, NanMakesEveryFigureNan) {
  const char* const all_nan =
      "mean=nan, std-dev=nan, var=nan, median=nan, min=nan at (0, 1), max=nan at (0, 1), "
      "avg-magnitude=nan, p90=nan, p95=nan, p99=nan";
  EXPECT_EQ(stats(Array::of<float>({1, 3}, {1, kNan, 3})), all_nan);
  EXPECT_EQ(stats(Array::of<float>({1, 3}, {1, -kNan, kNan})), all_nan);
}

TEST(Statistics, OfInfinities) {
  EXPECT_EQ(stats(Array::of<float>({2}, {1, kInf})),
            "mean=inf, std-dev=nan, var=nan, median=inf, min=1 at (0,), max=inf at (1,), "
            "avg-magnitude=inf, p90=nan, p95=nan, p99=nan");
}

TEST(Statistics, MedianOfNegativeZeroIsZero) {
  EXPECT_EQ(compute_statistics(Array::of<float>({3}, {-0.f, -0.f, 1})).median, 0);
  EXPECT_FALSE(std::signbit(compute_statistics(Array::of<float>({3}, {-0.f, -0.f, 1})).median));
}

TEST(Statistics, StringsHaveNone) {
  EXPECT_EQ(to_text(compute_statistics(Array::from_strings({1}, {"a"})), "out"),
            "out | Stats: <Error while computing statistics>");
}

TEST(Statistics, TypesThatNumpyLacks) {
  const Array floats = spread({5000}, DataType::kFloat32, [](double u) { return u * 8 - 4; });
  for (DataType type : {DataType::kBfloat16, DataType::kFloat8E4M3FN, DataType::kFloat8E5M2,
                        DataType::kFloat4E2M1, DataType::kInt4, DataType::kInt2}) {
    const Array narrow = convert(floats, type);
    const Statistics s = compute_statistics(narrow);
    const Statistics wide = compute_statistics(
        convert(narrow, is_floating(type) ? DataType::kFloat32 : DataType::kInt32));
    EXPECT_EQ(s.max, wide.max) << name_of(type);
    EXPECT_EQ(s.argmin, wide.argmin) << name_of(type);
    EXPECT_EQ(s.median, wide.median) << name_of(type);
    EXPECT_EQ(s.p99, wide.p99) << name_of(type);
    EXPECT_NEAR(s.mean, wide.mean, 1e-6) << name_of(type);
  }
}

TEST(Statistics, ExtraQuantilesAndSeveralSources) {
  const Array a = spread({70000}, DataType::kFloat32, as_it_is);
  const Array b = spread({70000}, DataType::kInt16, [](double u) { return u * 1000; });
  const Array c = Array::of<float>({2}, {1, 2});
  ArraySource sa(a), sb(b), sc(c);
  BlockSource* const all[] = {&sa, &sb, &sc};
  const double quantiles[] = {0, 0.3, 1};
  const auto together = compute_statistics(all, quantiles);
  ASSERT_EQ(together.size(), 3u);
  EXPECT_EQ(to_text(together[0]), stats(a));
  EXPECT_EQ(to_text(together[1]), stats(b));
  EXPECT_EQ(to_text(together[2]), stats(c));
  EXPECT_NEAR(together[0].extra_quantiles.at(1), 0.3, 1e-4);
  EXPECT_EQ(together[2].extra_quantiles.at(0), 1);
  EXPECT_EQ(together[2].extra_quantiles.at(2), 2);
}

TEST(Statistics, QuantilesAtTheEndsAreElementsBesideInfinities) {
  const float inf = std::numeric_limits<float>::infinity();
  const double quantiles[] = {0, 1};
  for (const Array& array :
       {Array::of<float>({3}, {1, 2, inf}), Array::of<float>({3}, {-inf, 2, 3}),
        Array::of<float>({3}, {-inf, 2, inf})}) {
    ArraySource source(array);
    BlockSource* const sources[] = {&source};
    const auto s = compute_statistics(sources, quantiles)[0];
    EXPECT_EQ(s.extra_quantiles.at(0), array.get_double(0));
    EXPECT_EQ(s.extra_quantiles.at(1), array.get_double(2));
  }
}

TEST(Statistics, OfTransposedArrays) {
  const Array a = spread({30, 70}, DataType::kFloat32, as_it_is);
  const int64_t swap[] = {1, 0};
  const Array t = a.transposed(swap);
  EXPECT_EQ(stats(t), stats(t.clone()));
}

}  // namespace
}  // namespace polygraphy
