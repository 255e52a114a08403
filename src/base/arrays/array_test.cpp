#include "base/arrays/array.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "base/error.h"

namespace polygraphy {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ElementCount, MultipliesTheDimensions) {
  EXPECT_EQ(element_count(Shape{}), 1);
  EXPECT_EQ(element_count(Shape{2, 3, 4}), 24);
  EXPECT_EQ(element_count(Shape{int64_t{1} << 40, 0, int64_t{1} << 40}), 0);
}

TEST(ElementCount, RefusesAbsurdShapes) {
  EXPECT_EQ(message_of([] { element_count(Shape{int64_t{1} << 32, int64_t{1} << 31}); }),
            "the number of elements of shape (4294967296, 2147483648) does not fit in 63 bits");
  EXPECT_EQ(message_of([] { element_count(Shape{2, -1}); }),
            "the shape (2, -1) has a negative dimension");
  EXPECT_EQ(element_count(Shape{std::numeric_limits<int64_t>::max()}),
            std::numeric_limits<int64_t>::max());
}

TEST(Array, StartsEmpty) {
  const Array array;
  EXPECT_TRUE(array.empty());
  EXPECT_EQ(array.size(), 0);
  EXPECT_TRUE(array.clone().empty());
  EXPECT_FALSE(Array::zeros(DataType::kFloat32, {0, 3}).empty());
}

TEST(Array, ZerosAreZeroAndAligned) {
  const Array array = Array::zeros(DataType::kFloat32, {2, 3});
  EXPECT_EQ(array.rank(), 2);
  EXPECT_EQ(array.size(), 6);
  EXPECT_EQ(array.nbytes(), 24);
  EXPECT_TRUE(array.contiguous());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 64, 0u);
  for (const float value : array.as<float>()) EXPECT_EQ(value, 0.0f);
  EXPECT_EQ(Array::zeros(DataType::kInt4, {3}).nbytes(), 2);
  EXPECT_EQ(Array::zeros(DataType::kString, {2}).strings()[1], "");
}

TEST(Array, SaysWhatItCouldNotAllocate) {
  const auto make = [] { Array::zeros(DataType::kFloat64, {int64_t{1} << 59}); };
  EXPECT_EQ(message_of(make),
            "cannot allocate 4611686018427387904 bytes for an array of type float64 and "
            "shape (576460752303423488,)");
}

TEST(Array, CopiesShareAndClonesDoNot) {
  const Array array = Array::of<int32_t>({2}, {1, 2});
  const std::vector<Array> shared(2, array);
  const Array cloned = array.clone();
  EXPECT_EQ(shared[0].data(), array.data());
  EXPECT_NE(cloned.data(), array.data());
  EXPECT_TRUE(bitwise_equal(array, cloned));
}

TEST(Array, ViewsKeepTheirOwnerAlive) {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3});
  std::weak_ptr<std::vector<float>> watch = owner;
  const float* data = owner->data();
  Array view = Array::view(DataType::kFloat32, {3}, data, std::move(owner));
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(view.get_double(2), 3.0);
  view = Array();
  EXPECT_TRUE(watch.expired());
}

TEST(Array, StridesReachAnyOrderOfTheSameBytes) {
  const std::vector<int32_t> data = {0, 1, 2, 3, 4, 5};
  const Array columns = Array::strided(DataType::kInt32, {3, 2}, {4, 12}, data.data(), nullptr);
  EXPECT_FALSE(columns.contiguous());
  EXPECT_EQ(columns.get_int64(1), 3);
  EXPECT_TRUE(
      bitwise_equal(columns.contiguous_aligned(), Array::of<int32_t>({3, 2}, {0, 3, 1, 4, 2, 5})));

  const Array backwards = Array::strided(DataType::kInt32, {6}, {-4}, data.data() + 5, nullptr);
  EXPECT_TRUE(bitwise_equal(backwards, Array::of<int32_t>({6}, {5, 4, 3, 2, 1, 0})));

  const Array repeated = Array::strided(DataType::kInt32, {2, 2}, {0, 4}, data.data() + 1, nullptr);
  EXPECT_TRUE(bitwise_equal(repeated, Array::of<int32_t>({2, 2}, {1, 2, 1, 2})));
}

TEST(Array, StridesInCOrderAreNoStrides) {
  const std::vector<double> data(6);
  EXPECT_TRUE(
      Array::strided(DataType::kFloat64, {2, 3}, {24, 8}, data.data(), nullptr).contiguous());
  // The step of an axis with one element does not matter.
  EXPECT_TRUE(Array::strided(DataType::kFloat64, {2, 1, 3}, {24, 999, 8}, data.data(), nullptr)
                  .contiguous());
  EXPECT_TRUE(
      Array::strided(DataType::kFloat64, {0, 3}, {1, 1}, data.data(), nullptr).contiguous());
}

TEST(Array, TransposesWithoutCopying) {
  const Array array = Array::of<uint16_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  const std::vector<int64_t> swap = {1, 0};
  const Array transposed = array.transposed(swap);
  EXPECT_EQ(transposed.data(), array.data());
  EXPECT_EQ(transposed.shape(), (Shape{3, 2}));
  EXPECT_TRUE(bitwise_equal(transposed, Array::of<uint16_t>({3, 2}, {1, 4, 2, 5, 3, 6})));
  EXPECT_TRUE(transposed.transposed(swap).contiguous());
}

TEST(Array, TransposesEveryElementWidth) {
  for (const DataType type : {DataType::kInt8, DataType::kFloat16, DataType::kFloat32,
                              DataType::kInt64, DataType::kComplex128}) {
    const Array counted =
        convert(Array::of<uint8_t>({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), type);
    const std::vector<int64_t> rotate = {2, 0, 1}, back = {1, 2, 0};
    const Array copied = counted.transposed(rotate).clone();
    EXPECT_TRUE(copied.contiguous());
    EXPECT_TRUE(bitwise_equal(copied.transposed(back), counted)) << name_of(type);
    const Array as_bytes = convert(copied, DataType::kUint8);
    EXPECT_TRUE(bitwise_equal(
        as_bytes, Array::of<uint8_t>({2, 2, 3}, {0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11})));
  }
}

TEST(Array, TransposesPackedElementsAndStrings) {
  const std::vector<int64_t> swap = {1, 0};
  const Array nibbles = pack(Array::of<uint8_t>({2, 3}, {1, 2, 3, 4, 5, 6}), DataType::kUint4);
  EXPECT_TRUE(bitwise_equal(unpack(nibbles.transposed(swap)),
                            Array::of<uint8_t>({3, 2}, {1, 4, 2, 5, 3, 6})));
  const Array texts = Array::from_strings({2, 2}, {"a", "b", "c", "d"});
  EXPECT_TRUE(
      bitwise_equal(texts.transposed(swap), Array::from_strings({2, 2}, {"a", "c", "b", "d"})));
}

TEST(Array, RefusesWhatIsNoPermutation) {
  const Array array = Array::of<float>({1, 2}, {1, 2});
  for (const std::vector<int64_t>& axes : {std::vector<int64_t>{0}, {0, 0}, {0, 2}, {-1, 0}}) {
    EXPECT_THROW(array.transposed(axes), Error);
  }
  EXPECT_EQ(message_of([&] { array.transposed(std::vector<int64_t>{0, 0}); }),
            "cannot permute the axes of an array of shape (1, 2) by (0, 0)");
}

TEST(Array, ReshapesTheSameBytes) {
  const Array array = Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Array flat = array.reshaped({6});
  EXPECT_EQ(flat.data(), array.data());
  EXPECT_EQ(flat.get_double(4), 5.0);
  EXPECT_EQ(message_of([&] { array.reshaped({4}); }),
            "cannot give an array of shape (2, 3) the shape (4,): the number of elements differs");
}

TEST(Array, AlignsWhatIsNot) {
  alignas(16) std::byte bytes[20] = {};
  const float one = 1.0f;
  std::memcpy(bytes + 1, &one, sizeof one);
  const Array array = Array::view(DataType::kFloat32, {1}, bytes + 1, nullptr);
  const Array aligned = array.contiguous_aligned();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned.data()) % 16, 0u);
  EXPECT_EQ(aligned.as<float>()[0], 1.0f);
  EXPECT_EQ(array.get_double(0), 1.0);
}

TEST(Array, RefusesTheWrongNumberOfValues) {
  EXPECT_EQ(message_of([] { Array::of<float>({3}, {1, 2}); }),
            "shape (3,) has 3 elements, but there are 2 values");
  EXPECT_EQ(message_of([] { Array::from_strings({}, {"a", "b"}); }),
            "shape () has 1 elements, but there are 2 strings");
}

TEST(Array, ReadsElementsOfAnyTypeAsNumbers) {
  EXPECT_EQ(Array::of<int64_t>({1}, {int64_t{1} << 53 | 1}).get_int64(0), (int64_t{1} << 53) + 1);
  EXPECT_EQ(Array::of<uint64_t>({1}, {~uint64_t{0}}).get_int64(0), -1);
  EXPECT_EQ(Array::of<bool>({2}, {true, false}).get_double(0), 1.0);
  EXPECT_EQ(pack(Array::of<int8_t>({3}, {1, -8, 7}), DataType::kInt4).get_int64(1), -8);
  EXPECT_EQ(convert(Array::of<float>({1}, {-1.5f}), DataType::kBfloat16).get_double(0), -1.5);
}

TEST(Array, BytesOfStringsAreTheirLengths) {
  const Array array = Array::from_strings({2}, {"ab", "cde"});
  EXPECT_EQ(array.nbytes(), 5);
  EXPECT_EQ(array.data(), nullptr);
}

TEST(BitwiseEqual, LooksAtBitsNotAtValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(bitwise_equal(Array::of<float>({1}, {nan}), Array::of<float>({1}, {nan})));
  EXPECT_FALSE(bitwise_equal(Array::of<float>({1}, {0.0f}), Array::of<float>({1}, {-0.0f})));
  EXPECT_FALSE(bitwise_equal(Array::of<float>({1}, {0.0f}), Array::of<int32_t>({1}, {0})));
  EXPECT_FALSE(bitwise_equal(Array::of<float>({1, 1}, {0.0f}), Array::of<float>({1}, {0.0f})));
  EXPECT_FALSE(bitwise_equal(Array::from_strings({1}, {"a"}), Array::from_strings({1}, {"b"})));
}

TEST(BitwiseEqual, IgnoresThePaddingOfPackedElements) {
  const uint8_t clean[] = {0x21, 0x03}, dirty[] = {0x21, 0xf3}, other[] = {0x21, 0x04};
  const auto nibbles = [](const uint8_t* data) {
    return Array::view(DataType::kUint4, {3}, data, nullptr);
  };
  EXPECT_TRUE(bitwise_equal(nibbles(clean), nibbles(dirty)));
  EXPECT_FALSE(bitwise_equal(nibbles(clean), nibbles(other)));
}

TEST(Array, ViewsAreReadOnly) {
  const float values[2] = {1, 2};
  Array view = Array::view(DataType::kFloat32, {2}, values, nullptr);
  EXPECT_THROW(view.mutable_data(), Error);
  EXPECT_NO_THROW(view.clone().mutable_data());
}

}  // namespace
}  // namespace polygraphy
