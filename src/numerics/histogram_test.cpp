#include "numerics/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

std::string histogram(const Array& array, std::optional<HistogramRange> range = std::nullopt) {
  ArraySource source(array);
  return to_text(compute_histogram(source, range));
}

// 1000 values evenly spread over [0, scale).
Array spread(DataType type, double scale) {
  std::vector<double> x(1000);
  for (uint64_t i = 0; i < x.size(); ++i) {
    x[i] = scale * static_cast<double>(static_cast<uint32_t>(i * 2654435761u)) / 4294967296.0;
  }
  return convert(Array::of<double>({1000}, x), type);
}

// The expected texts are those of the original with NumPy 2.4.

TEST(Histogram, OverTheDatasOwnRange) {
  EXPECT_EQ(histogram(spread(DataType::kInt32, 20)),
            R"(---- Histogram ----
Bin Range    |  Num Elems | Visualization
(0   , 1.9 ) |        100 | #######################################
(1.9 , 3.8 ) |        100 | #######################################
(3.8 , 5.7 ) |        100 | #######################################
(5.7 , 7.6 ) |         99 | #######################################
(7.6 , 9.5 ) |        101 | ########################################
(9.5 , 11.4) |        100 | #######################################
(11.4, 13.3) |         99 | #######################################
(13.3, 15.2) |        101 | ########################################
(15.2, 17.1) |        100 | #######################################
(17.1, 19  ) |        100 | #######################################)");
}

TEST(Histogram, Float16EdgesAreRoundedToFloat16) {
  EXPECT_EQ(histogram(spread(DataType::kFloat16, 30)),
            R"(---- Histogram ----
Bin Range    |  Num Elems | Visualization
(0   , 3   ) |        100 | #######################################
(3   , 6   ) |        100 | #######################################
(6   , 8.99) |        100 | #######################################
(8.99, 12  ) |         99 | #######################################
(12  , 15  ) |        101 | ########################################
(15  , 18  ) |         99 | #######################################
(18  , 21  ) |        100 | #######################################
(21  , 24  ) |        101 | ########################################
(24  , 27  ) |         99 | #######################################
(27  , 30  ) |        101 | ########################################)");
}

TEST(Histogram, OverACommonRange) {
  EXPECT_EQ(histogram(spread(DataType::kFloat32, 1), HistogramRange{-0.5, 2.0}),
            "---- Histogram ----\n"
            "Bin Range      |  Num Elems | Visualization\n"
            "(-0.5 , -0.25) |          0 | \n"
            "(-0.25, 0    ) |          0 | \n"
            "(0    , 0.25 ) |        251 | ########################################\n"
            "(0.25 , 0.5  ) |        249 | #######################################\n"
            "(0.5  , 0.75 ) |        250 | #######################################\n"
            "(0.75 , 1    ) |        250 | #######################################\n"
            "(1    , 1.25 ) |          0 | \n"
            "(1.25 , 1.5  ) |          0 | \n"
            "(1.5  , 1.75 ) |          0 | \n"
            "(1.75 , 2    ) |          0 | ");
}

TEST(Histogram, EqualValuesLieInTheSixthOfTenBins) {
  ArraySource source(Array::of<float>({7}, {3, 3, 3, 3, 3, 3, 3}));
  const auto h = compute_histogram(source);
  ASSERT_TRUE(h.has_value());
  EXPECT_EQ(h->edges.front(), 2.5);
  EXPECT_EQ(h->edges.back(), 3.5);
  EXPECT_EQ(h->counts[5], 7);
}

TEST(Histogram, TheLastEdgeIsInside) {
  ArraySource source(Array::of<float>({4}, {0, 5, 9.999f, 10}));
  const auto h = compute_histogram(source);
  ASSERT_TRUE(h.has_value());
  EXPECT_EQ(h->counts[9], 2);
  EXPECT_EQ(h->counts[5], 1);
}

TEST(Histogram, ValuesOutsideTheRangeAreNotCounted) {
  ArraySource source(Array::of<float>({4}, {-1, 0, 1, 2}));
  const auto h = compute_histogram(source, HistogramRange{0, 1});
  ASSERT_TRUE(h.has_value());
  EXPECT_EQ(h->counts[0] + h->counts[9], 2);
}

TEST(Histogram, KnownExtremesGiveTheSame) {
  const Array a = spread(DataType::kFloat32, 7);
  ArraySource source(a);
  const auto found = compute_histogram(source);
  const auto given = compute_own_histogram(source, found->edges.front(), found->edges.back());
  EXPECT_EQ(to_text(found), to_text(given));
}

TEST(Histogram, NoTextWithoutAFiniteRange) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(histogram(Array::of<bool>({2}, {true, false})), "");
  EXPECT_EQ(histogram(Array::of<float>({2}, {0, inf})), "");
  EXPECT_EQ(histogram(Array::of<float>({2}, {0, nan})), "");
  EXPECT_EQ(histogram(Array::of<float>({2}, {0, 1}), HistogramRange{0, nan}), "");
  EXPECT_EQ(histogram(Array::from_strings({1}, {"a"})), "");
  // Ten bins do not fit between neighbouring numbers.
  EXPECT_EQ(histogram(Array::of<float>({2}, {1, std::nextafter(1.f, 2.f)})), "");
}

TEST(Histogram, NothingToCountIsNone) {
  EXPECT_EQ(histogram(Array::zeros(DataType::kFloat32, {0})), "None");
}

TEST(Histogram, SeveralInOnePassAreAsOneByOne) {
  for (const DataType type : {DataType::kFloat32, DataType::kFloat64, DataType::kFloat16,
                              DataType::kInt32, DataType::kUint64, DataType::kBool}) {
    const Array x = spread(type, 20), y = spread(type, 33);
    ArraySource a(x), b(y);
    const HistogramRange wide{-1, 40}, narrow{3, 7};
    const auto together = compute_histograms(std::vector<HistogramTask>{
        {&a, wide, false, true}, {&b, wide, false, true}, {&b, narrow, false, false}});
    EXPECT_EQ(to_text(together[0]), histogram(x, wide)) << name_of(type);
    EXPECT_EQ(to_text(together[1]), histogram(y, wide)) << name_of(type);
    EXPECT_EQ(to_text(together[2]), histogram(y, narrow)) << name_of(type);
  }
  const Array nothing = Array::zeros(DataType::kFloat32, {0});
  ArraySource none(nothing);
  EXPECT_EQ(to_text(compute_histograms(std::vector<HistogramTask>{{&none, {}, true, true}})[0]),
            histogram(nothing));
}

}  // namespace
}  // namespace polygraphy
