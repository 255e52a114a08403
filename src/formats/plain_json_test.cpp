#include "formats/plain_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

Array read(std::string_view text) {
  JsonReader json(text, "f.json");
  Array array = read_plain_array(json);
  json.finish();
  return array;
}

std::string failure(std::string_view text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PlainJson, WholeNumbersAreInt64AsInNumPy) {
  EXPECT_TRUE(bitwise_equal(read("[[1, 2, 3], [-4, 5, 6]]"),
                            Array::of<int64_t>({2, 3}, {1, 2, 3, -4, 5, 6})));
  EXPECT_TRUE(
      bitwise_equal(read("9223372036854775807"), Array::of<int64_t>({}, {9223372036854775807})));
}

TEST(PlainJson, OneFractionMakesAllFloat64) {
  EXPECT_TRUE(bitwise_equal(read("[1, 2.5]"), Array::of<double>({2}, {1, 2.5})));
  EXPECT_TRUE(bitwise_equal(read("[[[1e2]]]"), Array::of<double>({1, 1, 1}, {100})));
  EXPECT_TRUE(std::isinf(read("[-Infinity]").get_double(0)));
  EXPECT_TRUE(std::isnan(read("[NaN]").get_double(0)));
}

TEST(PlainJson, TruthValuesAndTexts) {
  EXPECT_TRUE(bitwise_equal(read("[true, false]"), Array::of<bool>({2}, {true, false})));
  EXPECT_TRUE(bitwise_equal(read(R"([["a"], ["é"]])"), Array::from_strings({2, 1}, {"a", "é"})));
}

TEST(PlainJson, EmptyLists) {
  EXPECT_EQ(read("[]").shape(), (Shape{0}));
  EXPECT_EQ(read("[[], []]").shape(), (Shape{2, 0}));
  EXPECT_EQ(read("[]").dtype(), DataType::kFloat64);
}

TEST(PlainJson, SaysWhereItIsNoArray) {
  EXPECT_THAT(failure("[[1, 2], [3]]"),
              HasSubstr("byte 9): this list of axis 1 has 1 elements, the list before it 2"));
  EXPECT_THAT(failure("[[1], 2]"),
              HasSubstr("byte 6): a value instead of a list, unlike its neighbours"));
  EXPECT_THAT(failure("[1, [2]]"),
              HasSubstr("byte 4): a list instead of a value, unlike its neighbours"));
  EXPECT_THAT(failure("[[], [[1]]]"),
              HasSubstr("a list instead of a value, unlike its neighbours"));
  EXPECT_THAT(failure("[1, true]"), HasSubstr("byte 4): values of different kinds"));
  EXPECT_THAT(failure("[1, null]"), HasSubstr("values of different kinds"));
  EXPECT_THAT(failure("[{}]"), HasSubstr("expected an array"));
  EXPECT_THAT(failure("[1, 9223372036854775808]"), HasSubstr("9223372036854775808 does not fit"));
  EXPECT_THAT(failure("[[1, 2]"), HasSubstr("byte 7"));
}

TEST(PlainJson, DeepTextIsAnErrorAndNoCrash) {
  EXPECT_NE(failure(std::string(100000, '[')), "no error");
}

TEST(PlainJson, TakesTheTypeOfTheInput) {
  const Array whole = Array::of<int64_t>({2}, {1, 2}), real = Array::of<double>({1}, {0.5});
  EXPECT_EQ(with_type_of_input(whole, DataType::kFloat32).dtype(), DataType::kFloat32);
  EXPECT_EQ(with_type_of_input(whole, DataType::kInt32).dtype(), DataType::kInt32);
  EXPECT_EQ(with_type_of_input(real, DataType::kBfloat16).dtype(), DataType::kBfloat16);
  // A lossy conversion is left to adapt_feed(), which warns.
  EXPECT_EQ(with_type_of_input(real, DataType::kInt32).dtype(), DataType::kFloat64);
  EXPECT_EQ(with_type_of_input(whole, DataType::kString).dtype(), DataType::kInt64);
  EXPECT_EQ(with_type_of_input(whole, DataType::kUndefined).dtype(), DataType::kInt64);
}

}  // namespace
}  // namespace polygraphy
