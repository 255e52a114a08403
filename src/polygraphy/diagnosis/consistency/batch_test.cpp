#include "polygraphy/diagnosis/consistency/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TensorInfo tensor(DimList shape) {
  return {.dtype = DataType::kFloat32, .shape = std::move(shape)};
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(BatchInputsTest, OpenDimensionsOfOneName) {
  const Metadata inputs = {{"ids", tensor({"N", "length"})},
                           {"table", tensor({"words", 8})},
                           {"mask", tensor({"N", "length"})},
                           {"scale", tensor({})}};
  const BatchInputs batch = find_batch_inputs(inputs, {});
  EXPECT_THAT(batch.inputs, ElementsAre(BatchAxis{"ids"}, BatchAxis{"mask"}));
  EXPECT_EQ(batch.fixed, 0);
  EXPECT_THAT(batch.none, IsEmpty());
}

TEST(BatchInputsTest, OtherAxesOfThatName) {
  const Metadata inputs = {{"x", tensor({"N", "length"})}, {"state", tensor({2, "N", 8})}};
  EXPECT_THAT(find_batch_inputs(inputs, {}).inputs,
              ElementsAre(BatchAxis{"x"}, BatchAxis{"state", 1}));
  const Metadata nameless = {{"x", tensor({Dim(), 3})}, {"state", tensor({2, Dim(), 8})}};
  EXPECT_THAT(find_batch_inputs(nameless, {}).inputs,
              ElementsAre(BatchAxis{"x"}, BatchAxis{"state", 1}));
  const Metadata two = {{"x", tensor({Dim(), 3})}, {"state", tensor({2, Dim(), Dim()})}};
  EXPECT_THAT(find_batch_inputs(two, {}).inputs, ElementsAre(BatchAxis{"x"}));
}

TEST(BatchInputsTest, ADimensionThatIsCalledBatch) {
  const Metadata inputs = {{"x", tensor({"steps", "batch_size", 4})},
                           {"state", tensor({2, "batch_size", 8})},
                           {"lengths", tensor({"batch_size"})}};
  const BatchInputs batch = find_batch_inputs(inputs, {});
  EXPECT_THAT(batch.inputs,
              ElementsAre(BatchAxis{"x", 1}, BatchAxis{"state", 1}, BatchAxis{"lengths"}));
  EXPECT_EQ(batch.dimension, "batch_size");
  const Metadata product = {{"x", tensor({"N", "batch*steps"})}};
  EXPECT_THAT(find_batch_inputs(product, {}).inputs, ElementsAre(BatchAxis{"x"}));
}

TEST(BatchInputsTest, TimeInFrontOfABatch) {
  for (const char* name : {"T", "time", "seq_len", "steps", "max_length", "frames"}) {
    const Metadata inputs = {{"x", tensor({name, "N", 16})}, {"state", tensor({1, "N", 8})}};
    const BatchInputs batch = find_batch_inputs(inputs, {});
    EXPECT_THAT(batch.inputs, ElementsAre(BatchAxis{"x", 1}, BatchAxis{"state", 1})) << name;
    EXPECT_EQ(batch.dimension, "N");
  }
  EXPECT_EQ(find_batch_inputs({{"x", tensor({"T", 16})}}, {}).dimension, "T");
  EXPECT_EQ(find_batch_inputs({{"x", tensor({"N", "T"})}}, {}).dimension, "N");
}

TEST(BatchInputsTest, ANameTwiceInAShapeIsNoBatch) {
  const Metadata inputs = {{"x", tensor({"N", 16})}, {"edges", tensor({"N", "N"})}};
  EXPECT_EQ(find_batch_inputs(inputs, {}).none,
            "'edges' has no rows: two of its dimensions are 'N'");
  EXPECT_THAT(find_batch_inputs(inputs, {"x"}).none, IsEmpty());
}

Array zeros(Shape shape) {
  return Array::zeros(DataType::kFloat32, std::move(shape));
}

TEST(AxisOfRows, ByNameByPlaceOrByTheOnlyDifference) {
  const TensorInfo info = tensor({"steps", "N", 4});
  const Array one = zeros({1, 1, 4});
  EXPECT_EQ(axis_of_rows(zeros({3, 3, 4}), &one, 3, &info, "N"), 1u);
  EXPECT_EQ(axis_of_rows(zeros({3, 3, 4}), &one, 3, nullptr, "N"), 0u);
  const Array state = zeros({2, 1, 4});
  EXPECT_EQ(axis_of_rows(zeros({2, 3, 4}), &state, 3, nullptr, ""), 1u);
  // Another dimension differs, too, or the name is wrong.
  EXPECT_EQ(axis_of_rows(zeros({5, 3, 4}), &state, 3, &info, "N"), 1u);
  EXPECT_EQ(axis_of_rows(zeros({5, 3, 4}), &state, 3, nullptr, ""), std::nullopt);
  EXPECT_EQ(axis_of_rows(zeros({2, 6, 4}), &state, 3, &info, "N"), std::nullopt);
  EXPECT_EQ(axis_of_rows(zeros({3}), nullptr, 3, nullptr, ""), 0u);
  EXPECT_EQ(axis_of_rows(zeros({2, 3}), nullptr, 3, nullptr, ""), std::nullopt);
  EXPECT_EQ(axis_of_rows(zeros({}), nullptr, 3, nullptr, ""), std::nullopt);
}

TEST(BatchInputsTest, FixedRowsAreABatchWhereTheyAreNamed) {
  const Metadata inputs = {{"x", tensor({8, 3})}, {"y", tensor({1, 3})}};
  EXPECT_EQ(find_batch_inputs(inputs, {}).none,
            "no input has a dynamic first dimension: x (8, 3), y (1, 3); if a static one is the "
            "batch, name its inputs as batch inputs");
  const BatchInputs batch = find_batch_inputs(inputs, {"x"});
  EXPECT_THAT(batch.inputs, ElementsAre(BatchAxis{"x"}));
  EXPECT_EQ(batch.fixed, 8);
}

TEST(BatchInputsTest, NoBatch) {
  EXPECT_EQ(find_batch_inputs({{"x", tensor({1, 3})}, {"s", tensor({})}}, {}).none,
            "the model has no batch dimension: x (1, 3), s ()");
  EXPECT_EQ(find_batch_inputs({}, {}).none, "the model has no batch dimension: no inputs");
}

TEST(BatchInputsTest, NamedInputs) {
  const Metadata inputs = {{"x", tensor({"N", 3})}, {"y", tensor({"M", 3})}, {"s", tensor({})}};
  EXPECT_THAT(find_batch_inputs(inputs, {"x", "y"}).inputs,
              ElementsAre(BatchAxis{"x"}, BatchAxis{"y"}));
  EXPECT_THAT(error_of([&] { find_batch_inputs(inputs, {"z"}); }), HasSubstr("no input 'z'"));
  EXPECT_THAT(error_of([&] { find_batch_inputs(inputs, {"s"}); }), HasSubstr("has no rows"));
}

TEST(RowsOfTest, NumbersAndTexts) {
  const Array numbers = Array::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(bitwise_equal(rows_of(numbers, 1, 2), Array::of<float>({2, 2}, {3, 4, 5, 6})));
  const std::vector<int64_t> turn = {1, 0};
  EXPECT_TRUE(
      bitwise_equal(rows_of(numbers.transposed(turn), 1, 1), Array::of<float>({1, 3}, {2, 4, 6})));
  const Array texts = Array::from_strings({2, 1}, {"a", "b"});
  EXPECT_TRUE(bitwise_equal(rows_of(texts, 1, 1), Array::from_strings({1, 1}, {"b"})));
  EXPECT_TRUE(bitwise_equal(join_rows({rows_of(texts, 1, 1), rows_of(texts, 0, 1)}),
                            Array::from_strings({2, 1}, {"b", "a"})));
}

TEST(RowsOfTest, ElementsThatShareBytes) {
  const Array packed = Array::zeros(DataType::kInt4, {2, 3});
  EXPECT_THAT(error_of([&] { rows_of(packed, 0, 1); }), HasSubstr("share bytes"));
}

class BatchRowsTest : public testing::Test {
 protected:
  static ValueMap feed(std::initializer_list<float> rows, float scale = 1) {
    return {{"x", Value(Array::of<float>({static_cast<int64_t>(rows.size()), 1}, rows))},
            {"scale", Value(Array::of<float>({}, {scale}))}};
  }
  static Array x_of(const ValueMap& feed) { return feed.find("x")->tensor(); }
};

TEST_F(BatchRowsTest, RowsOfSeveralFeeds) {
  const BatchRows rows({feed({1, 2}), feed({3}), feed({4})}, {{"x"}}, 3);
  EXPECT_EQ(rows.count(), 3);
  EXPECT_EQ(rows.different(), 3);
  const ValueMap made = rows.feed({2, 0, 0});
  EXPECT_TRUE(bitwise_equal(x_of(made), Array::of<float>({3, 1}, {3, 1, 1})));
}

TEST_F(BatchRowsTest, RowsAlongAnotherAxis) {
  ValueMap both = feed({1, 2});
  both.set("state", Value(Array::of<float>({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})));
  const BatchRows rows({both}, {{"x"}, {"state", 1}}, 2);
  EXPECT_TRUE(
      bitwise_equal(rows.feed({0, 1}).find("state")->tensor(), both.find("state")->tensor()));
  EXPECT_TRUE(bitwise_equal(rows.feed({1, 0}).find("state")->tensor(),
                            Array::of<float>({2, 2, 3}, {4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9})));
  EXPECT_TRUE(bitwise_equal(rows.feed({1}).find("state")->tensor(),
                            Array::of<float>({2, 1, 3}, {4, 5, 6, 10, 11, 12})));
}

TEST_F(BatchRowsTest, FewRowsAreUsedAgain) {
  const BatchRows rows({feed({1, 2})}, {{"x"}}, 5);
  EXPECT_EQ(rows.different(), 2);
  EXPECT_TRUE(
      bitwise_equal(x_of(rows.feed({0, 1, 2, 3, 4})), Array::of<float>({5, 1}, {1, 2, 1, 2, 1})));
}

TEST_F(BatchRowsTest, OtherInputsHaveTheValuesOfTheFirstFeed) {
  const BatchRows rows({feed({1}, 7), feed({2}, 8)}, {{"x"}}, 2);
  EXPECT_EQ(rows.feed({1}).find("scale")->tensor().get_double(0), 7);
}

TEST_F(BatchRowsTest, FeedsOfOtherShapesAreLeftOut) {
  ValueMap wide = feed({});
  wide.set("x", Value(Array::of<float>({1, 2}, {8, 9})));
  const BatchRows rows({feed({1}), wide, feed({2})}, {{"x"}}, 2);
  EXPECT_TRUE(bitwise_equal(x_of(rows.feed({0, 1})), Array::of<float>({2, 1}, {1, 2})));
}

TEST_F(BatchRowsTest, BatchesThatDoNotFit) {
  const ValueMap wide = {{"x", Value(Array::zeros(DataType::kFloat32, {1, 1 << 20}))}};
  EXPECT_THAT(error_of([&] { require_batch_that_fits(wide, 1024); }), "nothing was thrown");
  EXPECT_THAT(error_of([&] { require_batch_that_fits(wide, 1025); }),
              "A batch of 1025 rows of 4194304 bytes is too large");
}

TEST_F(BatchRowsTest, InputsWithDifferentNumbersOfRows) {
  ValueMap torn = feed({1, 2});
  torn.set("mask", Value(Array::of<float>({3, 1}, {1, 1, 1})));
  EXPECT_THAT(error_of([&] { BatchRows({torn}, {{"x"}, {"mask"}}, 2); }),
              HasSubstr("have 2 and 3 rows"));
}

}  // namespace
}  // namespace polygraphy
