#include "base/arrays/array_repr.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

// Expected texts: repr() in NumPy 2.4.

Array counting(Shape shape, DataType type) {
  std::vector<double> values(static_cast<size_t>(element_count(shape)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  return convert(Array::of<double>(std::move(shape), values), type);
}

TEST(ArrayReprTest, NamesTypesThatNumPyWouldNotChoose) {
  EXPECT_EQ(numpy_repr(Array::of<float>({1, 2}, {1, 2.5f})), "array([[1. , 2.5]], dtype=float32)");
  EXPECT_EQ(numpy_repr(Array::of<double>({2}, {1, 2})), "array([1., 2.])");
  EXPECT_EQ(numpy_repr(Array::of<int64_t>({2}, {10, 2})), "array([10,  2])");
  EXPECT_EQ(numpy_repr(Array::of<bool>({2}, {true, false})), "array([ True, False])");
  EXPECT_EQ(numpy_repr(Array::of<float>({}, {0.5f})), "array(0.5, dtype=float32)");
}

TEST(ArrayReprTest, SaysTheShapeOfWhatIsEmpty) {
  EXPECT_EQ(numpy_repr(Array::zeros(DataType::kFloat32, {0})), "array([], dtype=float32)");
  EXPECT_EQ(numpy_repr(Array::zeros(DataType::kInt64, {0, 3})),
            "array([], shape=(0, 3), dtype=int64)");
}

TEST(ArrayReprTest, AlignsRowsAndBlocks) {
  EXPECT_EQ(numpy_repr(counting({2, 2, 2}, DataType::kInt64)),
            "array([[[0, 1],\n"
            "        [2, 3]],\n"
            "\n"
            "       [[4, 5],\n"
            "        [6, 7]]])");
}

TEST(ArrayReprTest, BreaksLongRows) {
  EXPECT_EQ(numpy_repr(counting({20}, DataType::kFloat32)),
            "array([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12.,\n"
            "       13., 14., 15., 16., 17., 18., 19.], dtype=float32)");
  EXPECT_EQ(numpy_repr(counting({33}, DataType::kInt32)),
            "array([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16,\n"
            "       17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32],\n"
            "      dtype=int32)");
}

TEST(ArrayReprTest, SummarisesMoreThanAThousand) {
  EXPECT_EQ(numpy_repr(counting({1001}, DataType::kFloat32)),
            "array([   0.,    1.,    2., ...,  998.,  999., 1000.],\n"
            "      shape=(1001,), dtype=float32)");
  EXPECT_EQ(numpy_repr(counting({40, 30}, DataType::kInt64)),
            "array([[   0,    1,    2, ...,   27,   28,   29],\n"
            "       [  30,   31,   32, ...,   57,   58,   59],\n"
            "       [  60,   61,   62, ...,   87,   88,   89],\n"
            "       ...,\n"
            "       [1110, 1111, 1112, ..., 1137, 1138, 1139],\n"
            "       [1140, 1141, 1142, ..., 1167, 1168, 1169],\n"
            "       [1170, 1171, 1172, ..., 1197, 1198, 1199]], shape=(40, 30))");
}

TEST(ArrayReprTest, QuotesStrings) {
  EXPECT_EQ(numpy_repr(Array::from_strings({2}, {"a", "b c"})),
            "array(['a', 'b c'], dtype=string)");
}

}  // namespace
}  // namespace polygraphy
