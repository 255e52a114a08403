#include "numerics/worst_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/arrays/py_repr.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<std::string> worst(const Array& a, const Array& b, size_t count = 10) {
  std::vector<std::string> lines;
  for (const ElementDifference& one : worst_elements(a, b, count)) {
    lines.push_back(py_tuple_repr(one.index) + " " + one.first + " " + one.second + " " +
                    format_g(one.difference, 6));
  }
  return lines;
}

TEST(WorstElements, GreatestFirstWithIndexAndBothValues) {
  EXPECT_THAT(worst(Array::of<float>({2, 2}, {1, 2, 3, 0.1F}),
                    Array::of<float>({2, 2}, {1, 2.5F, 5, 0.1F})),
              ElementsAre("(1, 0) 3.0 5.0 2", "(0, 1) 2.0 2.5 0.5"));
}

TEST(WorstElements, NanComesFirstAndEqualInfinitiesAreNoDifference) {
  EXPECT_THAT(
      worst(Array::of<float>({4}, {kInf, kNan, kInf, 9}), Array::of<float>({4}, {kInf, 1, 0, 1})),
      ElementsAre("(1,) nan 1.0 nan", "(2,) inf 0.0 inf", "(3,) 9.0 1.0 8"));
}

TEST(WorstElements, OfManyOnlyTheWorstInOrderOfPlaceWhereEqual) {
  std::vector<float> zeros(100000), ones(100000, 1);
  ones[99999] = 3;
  ones[50000] = 2;
  const Shape shape{100, 1000};
  EXPECT_THAT(worst(Array::of<float>(shape, zeros), Array::of<float>(shape, ones), 4),
              ElementsAre("(99, 999) 0.0 3.0 3", "(50, 0) 0.0 2.0 2", "(0, 0) 0.0 1.0 1",
                          "(0, 1) 0.0 1.0 1"));
}

TEST(WorstElements, EveryTypePrintsAsItself) {
  EXPECT_THAT(worst(Array::of<int64_t>({1}, {-7}), Array::of<int64_t>({1}, {7})),
              ElementsAre("(0,) -7 7 14"));
  EXPECT_THAT(worst(Array::of<uint64_t>({}, {18446744073709551615U}), Array::of<uint64_t>({}, {1})),
              ElementsAre("() 18446744073709551615 1 1.84467e+19"));
  EXPECT_THAT(worst(Array::of<bool>({2}, {true, true}), Array::of<bool>({2}, {true, false})),
              ElementsAre("(1,) True False 1"));
  EXPECT_THAT(worst(Array::of<double>({1}, {0.1}), Array::of<double>({1}, {0.3})),
              ElementsAre("(0,) 0.1 0.3 0.2"));
  EXPECT_THAT(worst(Array::from_strings({2}, {"a", "b"}), Array::from_strings({2}, {"a", "c"})),
              ElementsAre("(1,) 'b' 'c' 1"));
}

TEST(WorstElements, NothingWhereNothingDiffersOrCanBeSubtracted) {
  const Array a = Array::of<float>({2}, {1, 2});
  EXPECT_THAT(worst(a, a), IsEmpty());
  EXPECT_THAT(worst(a, Array::from_strings({2}, {"1", "2"})), IsEmpty());
  EXPECT_THAT(worst(Array::from_strings({2}, {"1", "2"}), a), IsEmpty());
  EXPECT_THAT(worst(Array::zeros(DataType::kFloat32, {0}), Array::zeros(DataType::kFloat32, {0})),
              IsEmpty());
}

}  // namespace
}  // namespace polygraphy
