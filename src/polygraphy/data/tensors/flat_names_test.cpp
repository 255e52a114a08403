#include "polygraphy/data/tensors/flat_names.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace polygraphy {
namespace {

TEST(FlatNames, AnArrayTellsItsItem) {
  EXPECT_EQ(item_of_array("s[2]")->index, 2u);
  EXPECT_EQ(item_of_array("s[2].keys")->sequence, "s");
  EXPECT_FALSE(item_of_array("s.keys"));
  EXPECT_FALSE(item_of_array("s"));
}

using testing::ElementsAre;

const Array kOne = Array::of<float>({1}, {1}), kTwo = Array::of<float>({2}, {2, 3});

template <typename Map>
std::vector<std::string> names_of(const Map& map) {
  std::vector<std::string> names;
  for (const auto& entry : map) names.push_back(entry.first);
  return names;
}

TensorInfo of_kind(ValueKind kind) {
  return {DataType::kFloat32, std::nullopt, {}, {}, kind};
}

const Metadata kInputs = {{"s", of_kind(ValueKind::kSequence)},
                          {"m", of_kind(ValueKind::kMap)},
                          {"o", of_kind(ValueKind::kOptional)},
                          {"x", of_kind(ValueKind::kTensor)}};

void expect_item(std::string_view name, std::string_view sequence, size_t index) {
  const auto item = parse_item_name(name);
  ASSERT_TRUE(item) << name;
  EXPECT_EQ(item->sequence, sequence);
  EXPECT_EQ(item->index, index);
}

TEST(FlatNames, NamesOfItems) {
  EXPECT_EQ(item_name("s", 2), "s[2]");
  expect_item("s[2]", "s", 2);
  expect_item("s[1][10]", "s[1]", 10);
  for (const char* other :
       {"s", "s[]", "s[-1]", "s[01]", "s[1]x", "s[1.0]", "s[ 1]", "s[99999999999999999999]", "]"}) {
    EXPECT_FALSE(parse_item_name(other)) << other;
  }
}

TEST(FlatNames, ValuesBecomeNamedArrays) {
  const ValueMap values = {{"x", kOne},
                           {"s", Value::Sequence{kOne, Value::Map{kOne, kTwo}}},
                           {"m", Value::Map{kOne, kTwo}},
                           {"empty", Value::Sequence{}},
                           {"none", Value()}};
  const ArrayMap arrays = flatten(values);
  EXPECT_THAT(names_of(arrays),
              ElementsAre("x", "s[0]", "s[1].keys", "s[1].values", "m.keys", "m.values"));
  EXPECT_TRUE(bitwise_equal(*arrays.find("m.values"), kTwo));
}

TEST(FlatNames, TwoArraysOfOneNameAreAnError) {
  const auto error_of = [](const ValueMap& values) -> std::string {
    try {
      flatten(values);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of({{"x", kOne}, {"s[0]", kOne}, {"s", Value::Sequence{kOne}}}),
            "The model's 's[0]' and 's' are ambiguous: both have an array named 's[0]'");
  EXPECT_EQ(error_of({{"m", Value::Map{kOne, kTwo}}, {"m.values", kOne}}),
            "The model's 'm' and 'm.values' are ambiguous: both have an array named 'm.values'");
}

TEST(FlatNames, AnInputWhoseFirstArrayIsAnotherInputIsAnError) {
  const auto error_of = [](const ArrayMap& arrays, const char* other) -> std::string {
    Metadata inputs = kInputs;
    inputs.set(other, of_kind(ValueKind::kTensor));
    try {
      unflatten(arrays, inputs);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of({{"s[0]", kOne}, {"s[1]", kTwo}}, "s[0]"),
            "The model's 's' and 's[0]' are ambiguous: both have an array named 's[0]'");
  EXPECT_EQ(error_of({{"m.keys", kOne}, {"m.values", kTwo}}, "m.values"),
            "The model's 'm' and 'm.values' are ambiguous: both have an array named 'm.values'");
  EXPECT_EQ(error_of({{"s", kOne}, {"s[0]", kTwo}}, "s[0]"), "no error");
}

TEST(FlatNames, InputsGetTheirValuesBack) {
  const ValueMap values = {{"m", Value::Map{kOne, kTwo}},
                           {"x", kOne},
                           {"s", Value::Sequence{kOne, kTwo}},
                           {"o", Value::Sequence{kTwo}}};
  const ValueMap again = unflatten(flatten(values), kInputs);
  EXPECT_THAT(names_of(again), ElementsAre("m", "x", "s", "o"));
  for (const auto& [name, value] : values) {
    EXPECT_TRUE(bitwise_equal(*again.find(name), value)) << name;
  }
  const Value maps = Value::Sequence{Value::Map{kOne, kTwo}, Value::Map{kTwo, kTwo}};
  EXPECT_TRUE(bitwise_equal(*unflatten(flatten({{"s", maps}}), kInputs).find("s"), maps));
}

TEST(FlatNames, ASequenceOrOptionalMayBeOneArray) {
  const ValueMap values = unflatten({{"s", kOne}, {"o", kTwo}}, kInputs);
  EXPECT_TRUE(bitwise_equal(*values.find("s"), kOne));
  EXPECT_TRUE(bitwise_equal(*values.find("o"), kTwo));
}

TEST(FlatNames, TensorsMayBeNamedLikeItems) {
  const ArrayMap arrays = {{"x[0]", kOne}, {"x[1]", kTwo}, {"s[0]", kOne}, {"s[1]", kTwo}};
  // x is a tensor, and s[1] an input by its own name.
  Metadata inputs = kInputs;
  inputs.set("s[1]", of_kind(ValueKind::kTensor));
  const ValueMap values = unflatten(arrays, inputs);
  EXPECT_THAT(names_of(values), ElementsAre("x[0]", "x[1]", "s", "s[1]"));
  EXPECT_TRUE(bitwise_equal(*values.find("s"), Value::Sequence{kOne}));
  // Nothing is known.
  EXPECT_THAT(names_of(unflatten(arrays, {})), ElementsAre("x[0]", "x[1]", "s[0]", "s[1]"));
}

TEST(FlatNames, PartsThatMakeNoWholeAreAnError) {
  const auto failure = [](const ArrayMap& arrays) {
    try {
      unflatten(arrays, kInputs);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(failure({{"s[0]", kOne}, {"s[2]", kTwo}}), "'s[2]' cannot be a part of the input 's'");
  EXPECT_EQ(failure({{"s[01]", kOne}}), "'s[01]' cannot be a part of the input 's'");
  EXPECT_EQ(failure({{"m.keys", kOne}}), "'m.keys' cannot be a part of the input 'm'");
  EXPECT_EQ(failure({{"s_other", kOne}}), "no error");
}

}  // namespace
}  // namespace polygraphy
