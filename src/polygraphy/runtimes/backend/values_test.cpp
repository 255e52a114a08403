#include "polygraphy/runtimes/backend/values.h"

#include <gmock/gmock.h>

#include <cstring>

#include "base/error.h"
#include "polygraphy/runtimes/backend/shared_heap.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(FeedValues, ViewsTheArraysBytes) {
  const Array array = Array::of<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  FeedValues values;
  const pgb_value& value = values.add(array);
  EXPECT_EQ(value.kind, PGB_TENSOR);
  EXPECT_EQ(value.dtype, 1);
  EXPECT_EQ(value.data, array.data());
  EXPECT_EQ(value.bytes, 24u);
  EXPECT_THAT(std::span(value.shape, 2), ElementsAre(2, 3));
}

TEST(FeedValues, StridedArraysAreMadeContiguous) {
  const Array array = Array::of<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  FeedValues values;
  const pgb_value& value = values.add(array.transposed(std::vector<int64_t>{1, 0}));
  EXPECT_THAT(std::span(static_cast<const float*>(value.data), 6), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(FeedValues, PackedTypesStayPacked) {
  FeedValues values;
  EXPECT_EQ(values.add(Array::zeros(DataType::kInt4, {5})).bytes, 3u);
}

TEST(Values, StringsGoThereAndBack) {
  using namespace std::string_literals;
  const std::vector<std::string> texts = {"a", "", "b\0c"s, "ä"};
  FeedValues values;
  const pgb_value& value = values.add(Array::from_strings({2, 2}, texts));
  EXPECT_EQ(value.kind, PGB_STRINGS);
  EXPECT_EQ(value.bytes, 6u);
  const Array back = to_array("y", value);
  EXPECT_EQ(back.shape(), (Shape{2, 2}));
  EXPECT_THAT(back.strings(), testing::ElementsAreArray(texts));
}

TEST(Values, EveryTypeGoesThereAndBack) {
  for (const DataType type : all_data_types()) {
    if (type == DataType::kString) continue;
    Array array = Array::zeros(type, {3, 5});
    auto* bytes = array.mutable_data();
    for (int64_t i = 0; i < array.nbytes() - 1; ++i) bytes[i] = static_cast<std::byte>(i * 37);
    FeedValues values;
    EXPECT_TRUE(bitwise_equal(to_array("y", values.add(array)), array)) << name_of(type);
  }
}

TEST(Values, OutputsOwnTheirMemory) {
  Array array = Array::of<float>({1}, {1});
  FeedValues values;
  const Array copy = to_array("y", values.add(array));
  EXPECT_NE(copy.data(), array.data());
}

TEST(Values, LargeOutputsAreCopiedIntoTheHeap) {
  SharedHeap heap;
  const Array array = Array::of<float>({100'000}, std::vector<float>(100'000, 1.5f));
  FeedValues values;
  const std::byte* data = nullptr;
  for (int time = 0; time < 2; ++time) {
    const Array copy = to_array("y", values.add(array), &heap);
    EXPECT_TRUE(bitwise_equal(copy, array));
    EXPECT_TRUE(heap.offset_of(copy.data()));
    EXPECT_TRUE(!data || copy.data() == data) << "freed with the array";
    data = copy.data();
  }
  EXPECT_FALSE(heap.offset_of(to_array("y", values.add(Array::of<float>({1}, {1})), &heap).data()));
}

// Counts holders as a runtime's buffer does.
struct Buffer {
  std::vector<float> values = std::vector<float>(100'000, 1.5f);
  int holders = 1;
  static void retain(void* self) { ++static_cast<Buffer*>(self)->holders; }
  static void release(void* self) { --static_cast<Buffer*>(self)->holders; }
};

TEST(Values, LargeOutputsAreKeptInsteadOfCopied) {
  Buffer buffer;
  const int64_t shape[] = {100'000};
  pgb_value value{};
  value.struct_size = sizeof(value);
  value.kind = PGB_TENSOR;
  value.dtype = 1;
  value.rank = 1;
  value.shape = shape;
  value.data = buffer.values.data();
  value.bytes = 400'000;
  value.owner = &buffer;
  value.retain = &Buffer::retain;
  value.release = &Buffer::release;
  {
    const Array array = to_array("y", value);
    EXPECT_EQ(static_cast<const void*>(array.data()), buffer.values.data());
    EXPECT_EQ(buffer.holders, 2);
  }
  EXPECT_EQ(buffer.holders, 1);
}

TEST(Values, ContradictionsOfTheRuntimeAreErrors) {
  FeedValues values;
  pgb_value value = values.add(Array::zeros(DataType::kFloat32, {4}));
  value.bytes = 8;
  EXPECT_THROW(to_array("y", value), Error);
  value.bytes = 16;
  value.dtype = 99;
  EXPECT_THROW(to_array("y", value), Error);
  value.dtype = 1;
  const int64_t negative[] = {-1};
  value.shape = negative;
  EXPECT_THROW(to_array("y", value), Error);

  pgb_value strings = values.add(Array::from_strings({2}, {"ab", "c"}));
  const uint64_t offsets[] = {0, 9, 3};
  strings.offsets = offsets;
  EXPECT_THROW(to_array("y", strings), Error);
}

TEST(Values, SequencesAndMapsGoThereAndBack) {
  const Array one = Array::of<float>({1}, {1}), two = Array::of<float>({2}, {2, 3});
  const Value::Map map{Array::of<int64_t>({2}, {7, 8}), two};
  const Value all = Value::Sequence{one, Value::Sequence{two, Value::Sequence{}}, map};
  FeedValues values;
  EXPECT_TRUE(bitwise_equal(to_value("y", values.add(all)), all));
}

TEST(Values, AnOptionalIsTheValueInItOrAbsent) {
  FeedValues values;
  const pgb_value one = values.add(Array::of<int64_t>({1}, {7}));
  pgb_value optional = values.add(Value());
  EXPECT_EQ(optional.kind, PGB_OPTIONAL);
  EXPECT_TRUE(to_value("y", optional).is_absent());
  optional.items = &one;
  optional.item_count = 1;
  EXPECT_EQ(to_value("y", optional).tensor().get_int64(0), 7);
}

// A plugin with faults must not take the process with it.
TEST(Values, WhatIsNotThereIsAnError) {
  pgb_value value{};
  value.struct_size = sizeof(value);
  value.kind = PGB_TENSOR;
  value.dtype = 1;
  value.rank = 1;
  EXPECT_THROW(to_value("y", value), Error) << "no shape";
  const int64_t shape[] = {2};
  value.shape = shape;
  EXPECT_THROW(to_value("y", value), Error) << "no data";
  value.kind = PGB_STRINGS;
  value.dtype = 8;
  EXPECT_THROW(to_value("y", value), Error) << "no offsets";
  value.kind = PGB_SEQUENCE;
  value.item_count = 1;
  EXPECT_THROW(to_value("y", value), Error) << "no items";
  value.items = &value;
  EXPECT_THROW(to_value("y", value), Error) << "an item of itself";
}

TEST(Values, KindsOutsideTheInterfaceAreErrors) {
  pgb_value value{};
  value.struct_size = sizeof(value);
  value.kind = 99;
  EXPECT_THROW(to_value("y", value), Error);
  value.kind = PGB_MAP;  // without keys and values
  EXPECT_THROW(to_value("y", value), Error);
}

}  // namespace
}  // namespace polygraphy
