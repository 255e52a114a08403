#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"

#include <gtest/gtest.h>

#include "base/arrays/numpy_text.h"
#include "base/testdata/log_text.h"

namespace polygraphy {
namespace {

// 0, 1, 2 … in C order.
Array counting(Shape shape) {
  std::vector<float> values(static_cast<size_t>(element_count(shape)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return Array::of<float>(std::move(shape), values);
}

class MatchShapesTest : public testing::Test {
 protected:
  std::string matched(const Array& array, const Shape& shape) {
    const auto result = match_shape(array, shape, log_.log());
    return result ? numpy_str(*result) : "none";
  }
  LogText log_;
};

TEST_F(MatchShapesTest, TransposesWhenTheDimensionsAreTheSame) {
  EXPECT_EQ(matched(counting({2, 3}), {3, 2}), "[[0. 3.]\n [1. 4.]\n [2. 5.]]");
  EXPECT_EQ(log_.take(),
            "[I] Permuted array of shape: (2, 3) to: (3, 2) using permutation [1, 0]\n");
  matched(counting({3, 2, 3}), {3, 3, 2});
  EXPECT_EQ(log_.take(),
            "[I] Permuted array of shape: (3, 2, 3) to: (3, 3, 2) using permutation [0, 2, 1]\n");
}

TEST_F(MatchShapesTest, ReshapesOtherwise) {
  EXPECT_EQ(matched(counting({6}), {2, 3}), "[[0. 1. 2.]\n [3. 4. 5.]]");
  EXPECT_EQ(log_.take(), "[I] Reshaped array from shape: (6,) to: (2, 3)\n");
  EXPECT_EQ(matched(counting({1, 6}), {2, 3}), "[[0. 1. 2.]\n [3. 4. 5.]]");
}

TEST_F(MatchShapesTest, LeavesEqualShapesAlone) {
  const Array array = counting({2, 2});
  EXPECT_EQ(match_shape(array, {2, 2}, log_.log())->data(), array.data());
  EXPECT_EQ(log_.take(), "");
}

TEST_F(MatchShapesTest, RefusesOtherNumbersOfElements) {
  const Array a = counting({2, 3}), b = counting({7});
  EXPECT_EQ(matched(b, a.shape()), "none");
  Array x, y;
  EXPECT_FALSE(match_shapes({"y", "y", "R0", "R1", a, b}, false, x, y, log_.log()));
  EXPECT_EQ(log_.take(),
            "[E] FAILED | Output: `y` | Will not compare outputs of different shapes.\n"
            "    Note: Output shapes are (2, 3) and (7,), with 6 and 7 elements.\n");
}

TEST_F(MatchShapesTest, ReportsDifferentShapesAndHowToGoOnOnce) {
  const Array a = counting({2, 3}), b = counting({3, 2});
  Array x, y;
  EXPECT_FALSE(match_shapes({"y", "y", "R0", "R1", a, b}, true, x, y, log_.log()));
  EXPECT_EQ(log_.take(),
            "[E] FAILED | Output: `y` | Will not compare outputs of different shapes.\n"
            "    Note: Output shapes are (2, 3) and (3, 2).\n"
            "[E] Note: Use --no-shape-check or set check_shapes=False to attempt to compare values "
            "anyway.\n");
  EXPECT_FALSE(match_shapes({"z", "z", "R0", "R1", a, b}, true, x, y, log_.log()));
  EXPECT_FALSE(log_.has("--no-shape-check"));
}

}  // namespace
}  // namespace polygraphy
