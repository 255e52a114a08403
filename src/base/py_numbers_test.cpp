#include "base/py_numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace polygraphy {
namespace {

TEST(ParseInt, TakesWhatPythonTakes) {
  EXPECT_EQ(parse_int("5"), 5);
  EXPECT_EQ(parse_int(" 5 "), 5);
  EXPECT_EQ(parse_int("+5"), 5);
  EXPECT_EQ(parse_int("-5"), -5);
  EXPECT_EQ(parse_int("1_000"), 1000);
  EXPECT_EQ(parse_int("007"), 7);
}

TEST(ParseInt, RefusesWhatPythonRefuses) {
  for (const char* text :
       {"", " ", "a", "1.0", "0x10", "1__0", "_1", "1_", "--5", "+ 5", "1 2", "1e3"}) {
    EXPECT_EQ(parse_int(text), std::nullopt) << text;
  }
}

TEST(ParseInt, SaysWhenSixtyFourBitsAreNotEnough) {
  bool too_big = false;
  EXPECT_EQ(parse_int("9223372036854775807", &too_big), INT64_MAX);
  EXPECT_FALSE(too_big);
  EXPECT_EQ(parse_int("9223372036854775808", &too_big), INT64_MAX);
  EXPECT_TRUE(too_big);
  too_big = false;
  EXPECT_EQ(parse_int("-99999999999999999999", &too_big), INT64_MIN);
  EXPECT_TRUE(too_big);
}

TEST(ParseFloat, TakesWhatPythonTakes) {
  EXPECT_EQ(parse_float("1e-3"), 1e-3);
  EXPECT_EQ(parse_float(".5"), 0.5);
  EXPECT_EQ(parse_float("5."), 5.0);
  EXPECT_EQ(parse_float("-1_0.5E+1"), -105.0);
  EXPECT_EQ(parse_float(" inf "), INFINITY);
  EXPECT_EQ(parse_float("-Infinity"), -INFINITY);
  EXPECT_TRUE(std::isnan(*parse_float("NaN")));
  EXPECT_EQ(parse_float("1e999"), INFINITY);
  EXPECT_EQ(parse_float("1e-999"), 0.0);
}

TEST(ParseFloat, RefusesWhatPythonRefuses) {
  for (const char* text :
       {"", ".", "e5", "1e", "1e+", "0x1p3", "1._5", "1_.5", "infinit", "nan(1)", "1,5"}) {
    EXPECT_EQ(parse_float(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace polygraphy
