#include "numerics/mismatches.h"

#include <gtest/gtest.h>

#include "base/arrays/convert.h"
#include "base/arrays/numpy_text.h"

namespace polygraphy {
namespace {

struct Texts {
  int64_t count;
  std::string values_a, values_b, indices;
};

Texts texts(const Array& a, const Array& b) {
  Difference difference(a, b, {}, false);
  const Mismatches mismatches(difference, {});
  return {mismatches.count(), mismatches.values_text(a), mismatches.values_text(b),
          mismatches.indices_text(a.shape())};
}

TEST(MismatchesTest, AreGivenByValueAndIndex) {
  const Texts t =
      texts(Array::of<float>({2, 2}, {1, 2, 3, 4}), Array::of<float>({2, 2}, {1, 3, 3, 5}));
  EXPECT_EQ(t.count, 2);
  EXPECT_EQ(t.values_a, "[2. 4.]");
  EXPECT_EQ(t.values_b, "[3. 5.]");
  EXPECT_EQ(t.indices, "[[0 1]\n [1 1]]");
}

TEST(MismatchesTest, NoneAreEmptyLists) {
  const Array a = Array::of<int32_t>({2}, {1, 2});
  const Texts t = texts(a, a);
  EXPECT_EQ(t.values_a + t.indices, "[][]");
}

TEST(MismatchesTest, OfScalarsAndPackedTypesToo) {
  EXPECT_EQ(texts(Array::of<float>({}, {1}), Array::of<float>({}, {2})).values_a, "[1.]");
  const Array a = convert(Array::of<int64_t>({5}, {1, 2, 3, 4, 5}), DataType::kInt4);
  const Array b = convert(Array::of<int64_t>({5}, {1, 7, 3, 4, 6}), DataType::kInt4);
  EXPECT_EQ(texts(a, b).values_a, "[2 5]");
  EXPECT_EQ(texts(a, b).values_b, "[7 6]");
}

// More than NumPy prints are not all kept, but the text is that of all of them.
TEST(MismatchesTest, ManyAreShortenedAsNumPyDoes) {
  std::vector<float> x, y;
  std::vector<float> expected;
  std::vector<int64_t> indices;
  for (int i = 0; i < 30000; ++i) {
    x.push_back(static_cast<float>(i) + 0.5f);
    y.push_back(i % 3 == 0 ? 0.f : x.back());
    if (i % 3 != 0) continue;
    expected.push_back(x.back());
    indices.push_back(i / 300);
    indices.push_back(i % 300);
  }
  const auto count = static_cast<int64_t>(expected.size());
  const Texts t = texts(Array::of<float>({100, 300}, x), Array::of<float>({100, 300}, y));
  EXPECT_EQ(t.count, count);
  EXPECT_EQ(t.values_a, numpy_str(Array::of<float>({count}, expected)));
  EXPECT_EQ(t.indices, numpy_str(Array::of<int64_t>({count, 2}, indices)));
}

TEST(MismatchesTest, RowsOfIndicesCountByTheirNumbers) {
  // 600 mismatches are printed in full, 600 rows of two numbers are not.
  std::vector<float> x(600, 1), y(600, 2);
  const Texts t = texts(Array::of<float>({2, 300}, x), Array::of<float>({2, 300}, y));
  EXPECT_EQ(t.values_a, numpy_str(Array::of<float>({600}, x)));
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < 600; ++i) indices.insert(indices.end(), {i / 300, i % 300});
  EXPECT_EQ(t.indices, numpy_str(Array::of<int64_t>({600, 2}, indices)));
}

}  // namespace
}  // namespace polygraphy
