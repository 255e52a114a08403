#include "base/regular_expression.h"

#include <gtest/gtest.h>

#include <string>

namespace polygraphy {
namespace {

TEST(RegularExpression, MatchesAllOfATextByAnyOfItsForms) {
  const RegularExpression number("[0-9]+|[0-9]+-[0-9]+|");
  EXPECT_TRUE(number.matches("12"));
  EXPECT_TRUE(number.matches("12-3"));
  EXPECT_TRUE(number.matches(""));
  EXPECT_FALSE(number.matches("12-"));
  EXPECT_FALSE(number.matches("x12"));
  EXPECT_FALSE(number.matches("12\n"));
}

TEST(RegularExpression, TellsWhatATextBeginsWith) {
  const RegularExpression prefix("In .*, Error ");
  EXPECT_TRUE(prefix.begins("In node 5, Error of it"));
  EXPECT_FALSE(prefix.begins("Note: In node 5, Error of it"));
}

TEST(RegularExpression, ReplacesEveryMatch) {
  EXPECT_EQ(RegularExpression("<(.)>").replace_all("<a> and <b>", "$1"), "a and b");
  EXPECT_EQ(RegularExpression("<(.)>").replace_all("\xff none", "$1"), "\xff none");
}

TEST(RegularExpression, OfATextThatIsTooHardFindsNothing) {
  const RegularExpression hard("(a*)*(a*)*(a*)*b");
  const std::string text(5000, 'a');
  EXPECT_FALSE(hard.matches(text));
  EXPECT_EQ(hard.replace_all(text, "x"), text);
}

}  // namespace
}  // namespace polygraphy
