#include "polygraphy/data/inputs/adapt_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/arrays/convert.h"
#include "base/arrays/numpy_text.h"

namespace polygraphy {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class AdaptFeedTest : public testing::Test {
 protected:
  std::string adapt(const ValueMap& feed, const TensorInfo& info) {
    try {
      const ArrayMap adapted = tensors_of(adapt_feed(feed, {{"x", info}}, log_));
      return to_text(metadata_of(adapted)) + " " + numpy_str(adapted.at_index(0).second);
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::vector<std::string> lines_;
  Logger log_{[this](Severity, std::string_view text) { lines_.emplace_back(text); }};
};

TEST_F(AdaptFeedTest, SuitableFeedsAreLeftAlone) {
  EXPECT_EQ(adapt({{"unused", Array::of<float>({1}, {9})}, {"x", Array::of<float>({1, 2}, {1, 2})}},
                  {DataType::kFloat32, DimList{"N", 2}, ""}),
            "{x [dtype=float32, shape=(1, 2)]} [[1. 2.]]");
  EXPECT_THAT(lines_, IsEmpty());
}

TEST_F(AdaptFeedTest, NamesMayDiffer) {
  EXPECT_EQ(adapt({{"aXb", Array::of<float>({1}, {1})}}, {DataType::kFloat32, DimList{1}, ""}),
            "{x [dtype=float32, shape=(1,)]} [1.]");
  EXPECT_THAT(lines_, ElementsAre("[W] Input tensor: x | Buffer name (aXb) does not match expected "
                                  "input name (x)."));
  EXPECT_EQ(adapt({}, {DataType::kFloat32, DimList{1}, ""}),
            "Input tensor: x | Does not exist in the provided input data.");
}

TEST_F(AdaptFeedTest, ItemsOfASequenceStayTogether) {
  const Array one = Array::of<float>({1}, {1}), two = Array::of<float>({2}, {1, 2});
  const ValueMap adapted = adapt_feed(
      {{"i", one}, {"list", Value::Sequence{one, two}}},
      {{"list", {DataType::kFloat32, std::nullopt, "", {}, ValueKind::kSequence}}}, log_);
  ASSERT_EQ(adapted.size(), 1u);
  EXPECT_TRUE(bitwise_equal(*adapted.find("list"), Value::Sequence{one, two}));
  EXPECT_THAT(lines_, testing::IsEmpty());
}

TEST_F(AdaptFeedTest, TypesAreCast) {
  EXPECT_EQ(adapt({{"x", Array::of<double>({2}, {1.5, 300})}}, {DataType::kInt8, DimList{2}, ""}),
            "{x [dtype=int8, shape=(2,)]} [ 1 44]");
  EXPECT_THAT(lines_,
              ElementsAre("[W] Input tensor: x | Buffer dtype (float64) does not match expected "
                          "input dtype (int8), attempting to cast.",
                          "[W] Some values in this input are out of range of int8. Unexpected "
                          "behavior may ensue!"));
}

TEST_F(AdaptFeedTest, NumbersThatWrapAreWarnedOf) {
  const uint64_t high = uint64_t{1} << 63;
  adapt({{"x", Array::of<uint64_t>({2}, {1, high})}}, {DataType::kInt64, DimList{2}, ""});
  EXPECT_THAT(lines_, Contains(HasSubstr("Some values in this input are out of range of int64")));
  lines_.clear();
  adapt({{"x", Array::of<uint64_t>({1}, {high - 1})}}, {DataType::kInt64, DimList{1}, ""});
  EXPECT_THAT(lines_, Not(Contains(HasSubstr("out of range"))));
}

TEST_F(AdaptFeedTest, ImaginaryPartsThatAreDroppedAreWarnedOf) {
  const Array complex = convert(Array::of<float>({1}, {1}), DataType::kComplex64);
  adapt({{"x", complex}}, {DataType::kFloat32, DimList{1}, ""});
  EXPECT_THAT(lines_, Contains(HasSubstr("x | The imaginary parts of its values are dropped.")));
  lines_.clear();
  adapt({{"x", complex}}, {DataType::kComplex128, DimList{1}, ""});
  EXPECT_THAT(lines_, Not(Contains(HasSubstr("imaginary"))));
}

TEST_F(AdaptFeedTest, ShapesAreTransposedOrReshaped) {
  EXPECT_EQ(adapt({{"x", Array::of<int64_t>({2, 3}, {1, 2, 3, 4, 5, 6})}},
                  {DataType::kInt64, DimList{3, 2}, ""}),
            "{x [dtype=int64, shape=(3, 2)]} [[1 4]\n [2 5]\n [3 6]]");
  EXPECT_THAT(
      lines_,
      ElementsAre("[W] Input tensor: x | Buffer shape ((2, 3)) does not match expected input "
                  "shape (BoundedShape([3, 2], min=None, max=None)). Attempting to "
                  "transpose/reshape.",
                  "[I] Permuted array of shape: (2, 3) to: (3, 2) using permutation [1, 0]"));
  lines_.clear();
  EXPECT_EQ(adapt({{"x", Array::of<int64_t>({6}, {1, 2, 3, 4, 5, 6})}},
                  {DataType::kInt64, DimList{"N", 2}, ""}),
            "{x [dtype=int64, shape=(3, 2)]} [[1 2]\n [3 4]\n [5 6]]");
  EXPECT_EQ(lines_.back(), "[I] Reshaped array from shape: (6,) to: (3, 2)");
}

TEST_F(AdaptFeedTest, WhatCannotFitIsAnError) {
  EXPECT_EQ(adapt({{"x", Array::of<int64_t>({5}, {1, 2, 3, 4, 5})}},
                  {DataType::kInt64, DimList{3, 2}, ""}),
            "Input tensor: x | Cannot reuse input data due to mismatch in shape or data type.\n"
            "Note: Provided input: [dtype=int64, shape=(5,)], Requested input: [dtype=int64, "
            "shape=BoundedShape([3, 2], min=None, max=None)]");
}

TEST_F(AdaptFeedTest, ErrorsNameTheInput) {
  const Array x = Array::of<int64_t>({5}, {1, 2, 3, 4, 5});
  const Metadata matrix{{"x", {DataType::kInt64, DimList{3, 2}, ""}}};
  const auto tensor_of = [&](const ValueMap& feed, const Metadata& inputs) -> std::string {
    try {
      adapt_feed(feed, inputs, log_);
    } catch (const FeedError& error) {
      return error.tensor();
    }
    return "no error";
  };
  EXPECT_EQ(tensor_of({{"x", x}}, matrix), "x");
  EXPECT_EQ(tensor_of({}, matrix), "x");
  EXPECT_EQ(tensor_of({{"x", Array::from_strings({1}, {"five"})}}, matrix), "x");
  const Value::Sequence texts{Array::from_strings({1}, {"five"})};
  EXPECT_EQ(tensor_of({{"list", texts}},
                      {{"list", {DataType::kInt64, std::nullopt, "", {}, ValueKind::kSequence}}}),
            "list[0]");
}

TEST_F(AdaptFeedTest, WhatIsNoTensorIsLeftToTheRunner) {
  const Value::Sequence items{Array::of<int64_t>({1}, {5})};
  const Metadata inputs{{"x", {DataType::kFloat32, DimList{1}, ""}}};
  EXPECT_TRUE(bitwise_equal(*adapt_feed({{"x", items}}, inputs, log_).find("x"), items));
}

}  // namespace
}  // namespace polygraphy
