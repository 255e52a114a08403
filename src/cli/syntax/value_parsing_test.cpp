#include "cli/syntax/value_parsing.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy::cli {
namespace {

TEST(CastValue, FollowsTheOriginalsRules) {
  EXPECT_EQ(cast_value("3").repr(), "3");
  EXPECT_EQ(cast_value("1.0").repr(), "1.0");
  EXPECT_EQ(cast_value("1e-5").repr(), "1e-05");
  EXPECT_EQ(cast_value("nan").repr(), "nan");
  EXPECT_EQ(cast_value("'53'").repr(), "'53'");
  EXPECT_EQ(cast_value("text").repr(), "'text'");
  EXPECT_EQ(cast_value("[0,1]").repr(), "(0, 1)");
  EXPECT_EQ(cast_value(" [ 0.5 , a ] ").repr(), "(0.5, 'a')");
  EXPECT_EQ(cast_value("[]").repr(), "('',)");
  EXPECT_EQ(cast_value("[[1,2],3]").repr(), "(1, (2,), 3)") << "brackets do not nest";
}

TEST(ParseKeyValues, SplitsAtTheLastColon) {
  const auto values = parse_key_values({"1e-3", "a:1", "b:c:2", ":3", "a:4"});
  std::string text;
  for (const auto& [key, value] : values) text += key + "=" + value + " ";
  EXPECT_EQ(text, "=3 a=4 b:c=2 ") << "the last of equal keys wins, in the place of the first";
}

TEST(Values, Bytes) {
  EXPECT_EQ(parse_bytes("4096"), 4096);
  EXPECT_EQ(parse_bytes("16e6"), 16000000);
  EXPECT_EQ(parse_bytes("1.5K"), 1536);
  EXPECT_EQ(parse_bytes("2m"), 2 << 20);
  EXPECT_EQ(parse_bytes("1G"), 1 << 30);
  EXPECT_EQ(parse_bytes("2T"), int64_t{2} << 40);
  for (const char* text : {"", "K", "4q", "-1", "nan", "1e30", "4KB"}) {
    EXPECT_THROW(parse_bytes(text), Error) << text;
  }
}

}  // namespace
}  // namespace polygraphy::cli
