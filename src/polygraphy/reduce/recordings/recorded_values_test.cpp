#include "polygraphy/reduce/recordings/recorded_values.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

Array number(int64_t value) {
  return Array::view(DataType::kInt64, {}, reinterpret_cast<const std::byte*>(&value), nullptr)
      .clone();
}

TensorMap inputs(int64_t x) {
  TensorMap map;
  map.set("x", number(x));
  return map;
}

TEST(RecordedValues, AreOfInputsByTheirContents) {
  RecordedValues values;
  RecordedValues::Known& known = values.of(inputs(1));
  values.keep(known, "y", number(2));
  EXPECT_EQ(&values.of(inputs(1)), &known);
  EXPECT_EQ(values.of(inputs(3)).values.find("y"), nullptr);
  ASSERT_NE(known.values.find("y"), nullptr);
  EXPECT_EQ(known.values.find("y")->get_int64(0), 2);
  EXPECT_EQ(known.infos.at("x")->dtype, DataType::kInt64);
}

TEST(RecordedValues, AreForgottenWhenThereIsMoreThanMemoryForThem) {
  RecordedValues values;
  RecordedValues::Known& known = values.of(inputs(1));
  for (const char* name : {"a", "b", "b"}) {
    values.keep(known, name, Array::zeros(DataType::kInt8, {30 << 20}));
  }
  EXPECT_EQ(known.values.size(), 2);
  values.keep(known, "c", Array::zeros(DataType::kInt8, {30 << 20}));
  EXPECT_EQ(known.values.size(), 1);
  EXPECT_TRUE(known.infos.at("a").has_value());
}

}  // namespace
}  // namespace polygraphy
