#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "base/error.h"
#include "polygraphy/comparison/compare/postprocess.h"

namespace polygraphy {
namespace {

std::vector<int64_t> places(const char* function, const Array& array, Shape shape) {
  const Array result = parse_postprocess(function)->apply("y", array);
  EXPECT_EQ(result.dtype(), DataType::kInt64);
  EXPECT_EQ(result.shape(), shape);
  const auto values = result.as<int64_t>();
  return {values.begin(), values.end()};
}
using List = std::vector<int64_t>;

TEST(TopK, PlacesOfTheLargestAlongTheLastAxis) {
  EXPECT_EQ(places("top-2", Array::of<float>({2, 4}, {3, 1, 2, 3, 0, 5, 7, 5}), {2, 2}),
            (List{0, 3, 2, 1}));
}

TEST(TopK, AlongAnotherAxis) {
  const Array array = Array::of<int32_t>({2, 3}, {1, 5, 2, 4, 0, 2});
  EXPECT_EQ(places("top-1,axis=0", array, {1, 3}), (List{1, 0, 0}));
  EXPECT_EQ(places("top-1,axis=-2", array, {1, 3}), (List{1, 0, 0}));
  EXPECT_EQ(places("top-1,0", array, {1, 3}), (List{1, 0, 0}));
  EXPECT_EQ(places("top-2,axis=1", Array::of<float>({1, 3, 2}, {1, 9, 3, 8, 2, 7}), {1, 2, 2}),
            (List{1, 0, 2, 1}));
}

TEST(TopK, NoMoreThanThereAre) {
  EXPECT_EQ(places("top-9", Array::of<float>({2}, {1, 2}), {2}), (List{1, 0}));
  EXPECT_EQ(places("top-2", Array::zeros(DataType::kFloat32, {0, 3}), {0, 2}), List{});
  EXPECT_EQ(places("top-2", Array::zeros(DataType::kFloat32, {2, 0}), {2, 0}), List{});
}

TEST(TopK, EqualValuesByPlaceAndNanLast) {
  EXPECT_EQ(places("top-6", Array::of<double>({6}, {3, 1, NAN, 3, NAN, 2}), {6}),
            (List{0, 3, 5, 1, 2, 4}));
  EXPECT_EQ(places("top-2", Array::of<double>({3}, {NAN, -INFINITY, NAN}), {2}), (List{1, 0}));
  EXPECT_EQ(places("top-2", Array::of<double>({2}, {-0.0, 0.0}), {2}), (List{0, 1}));
}

TEST(TopK, IntegersOfAnyTypeAndBools) {
  EXPECT_EQ(places("top-2", Array::of<uint8_t>({3}, {0, 250, 3}), {2}), (List{1, 2}));
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(places("top-3", Array::of<int64_t>({3}, {kMin, 5, kMin + 1}), {3}), (List{1, 2, 0}));
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(places("top-2", Array::of<uint64_t>({3}, {kMax - 1, 0, kMax}), {2}), (List{2, 0}));
  EXPECT_EQ(places("top-2", Array::of<bool>({3}, {false, true, true}), {2}), (List{1, 2}));
}

TEST(TopK, OfAStridedView) {
  const Array array = Array::of<float>({2, 3}, {1, 5, 2, 4, 0, 9});
  EXPECT_EQ(places("top-1", array.transposed(std::vector<int64_t>{1, 0}), {3, 1}), (List{1, 0, 1}));
}

std::string failure(const char* function, const Array& array) {
  try {
    parse_postprocess(function)->apply("y", array);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TopK, OutputsWithoutThatAxisOrWithoutAnOrder) {
  EXPECT_EQ(failure("top-1,axis=2", Array::of<float>({2, 1}, {1, 2})),
            "Output: y | top-1 along axis 2: the output has shape (2, 1).");
  EXPECT_NE(failure("top-1", Array::of<float>({}, {1})).find("the output has shape ()"),
            std::string::npos);
  EXPECT_NE(failure("top-1", Array::from_strings({1}, {"a"})).find("have no order"),
            std::string::npos);
}

TEST(TopK, OtherSpellingsAreKnown) {
  for (const char* text : {"top5", "top_5", "top:5"}) {
    try {
      static_cast<void>(parse_postprocess(text));
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.hint(), "Did you mean 'top-5'?");
    }
  }
}

TEST(TopK, WhatIsNoFunction) {
  for (const char* text : {"bottom-2", "top-", "top-x", "top-0", "top--1", "top-1.5", "2",
                           "top-2,axis=x", "top-2,axis="}) {
    EXPECT_EQ(failure(text, Array::of<float>({1}, {1})),
              std::string("Invalid post-processing function: ") + text +
                  ". Note: Valid choices are: ['top-<K>'].");
  }
}

}  // namespace
}  // namespace polygraphy
