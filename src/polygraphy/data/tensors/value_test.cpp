#include "polygraphy/data/tensors/value.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

const Array kOne = Array::of<float>({1}, {1}), kTwo = Array::of<float>({2}, {2, 3});

TEST(Value, IsOfOneKind) {
  EXPECT_TRUE(Value().is_absent());
  const Value tensor = kTwo;
  EXPECT_EQ(tensor.kind(), Value::Kind::kTensor);
  EXPECT_EQ(tensor.tensor().get_double(1), 3);
  const Value sequence = Value::Sequence{kOne, kTwo};
  EXPECT_EQ(sequence.kind(), Value::Kind::kSequence);
  EXPECT_EQ(sequence.as_sequence()->size(), 2u);
  EXPECT_EQ(sequence.as_tensor(), nullptr);
  EXPECT_THROW(static_cast<void>(sequence.tensor()), Error);
  const Value map = Value::Map{kTwo, kTwo};
  EXPECT_EQ(map.kind(), Value::Kind::kMap);
  EXPECT_STREQ(name_of(map.kind()), "map");
}

TEST(Value, VisitsItsArraysInOrder) {
  Value value = Value::Sequence{kOne, Value::Map{kTwo, kOne}, Value(), kTwo};
  std::vector<int64_t> sizes;
  value.for_each_array([&](const Array& array) { sizes.push_back(array.size()); });
  EXPECT_EQ(sizes, (std::vector<int64_t>{1, 2, 1, 2}));
  value.for_each_array([](Array& array) { array = Array::zeros(DataType::kInt8, {}); });
  EXPECT_EQ((*value.as_sequence())[3].tensor().dtype(), DataType::kInt8);
}

TEST(Value, IsEqualBitByBit) {
  const Value value = Value::Sequence{kOne, Value::Map{kTwo, kOne}, Value::Sequence{}, Value()};
  EXPECT_TRUE(bitwise_equal(value, Value(value)));
  EXPECT_FALSE(bitwise_equal(value, kOne));
  EXPECT_FALSE(bitwise_equal(kOne, value));
  EXPECT_FALSE(bitwise_equal(Value::Sequence{kOne}, Value::Sequence{kTwo}));
  EXPECT_FALSE(bitwise_equal(Value::Sequence{kOne}, Value::Sequence{kOne, kOne}));
  EXPECT_FALSE(bitwise_equal(Value::Map{kTwo, kOne}, Value::Map{kTwo, kTwo}));
  EXPECT_FALSE(bitwise_equal(Value(), Value::Sequence{}));
}

TEST(Value, TensorsOfAMapOfValues) {
  const ValueMap values = {{"a", kOne}, {"s", Value::Sequence{kOne}}, {"none", Value()}};
  const ArrayMap tensors = tensors_of(values);
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_TRUE(bitwise_equal(*tensors.find("a"), kOne));
  EXPECT_TRUE(bitwise_equal(values_of(tensors).find("a")->tensor(), kOne));
}

}  // namespace
}  // namespace polygraphy
