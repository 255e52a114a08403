#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitLines, BreaksWherePythonDoes) {
  EXPECT_THAT(split_lines(""), IsEmpty());
  EXPECT_THAT(split_lines("\n"), ElementsAre(""));
  EXPECT_THAT(split_lines("a"), ElementsAre("a"));
  EXPECT_THAT(split_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(split_lines("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(split_lines("a\r\nb\rc\n\rd"), ElementsAre("a", "b", "c", "", "d"));
  EXPECT_THAT(split_lines("1\v2\f3\x1c"
                          "4\x1d"
                          "5\x1e"
                          "6\x1f"),
              ElementsAre("1", "2", "3", "4", "5", "6\x1f"));
  EXPECT_THAT(split_lines("a\u0085b\u2028c\u2029d\u202ae"), ElementsAre("a", "b", "c", "d\u202ae"));
}

TEST(Split, GivesOnePieceMoreThanSeparators) {
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_THAT(split("a,b,,c,", ','), ElementsAre("a", "b", "", "c", ""));
}

TEST(Join, PutsSeparatorsBetween) {
  const std::vector<std::string> texts = {"a", "", "b"};
  EXPECT_EQ(join(texts, ", "), "a, , b");
  EXPECT_EQ(join(std::span<const std::string_view>(), ", "), "");
}

TEST(AndMore, CountsWhatIsLeftOut) {
  EXPECT_EQ(and_more(5, 3, ", "), ", and 2 more");
  EXPECT_EQ(and_more(3, 3, ", "), "");
  EXPECT_EQ(and_more(0, 3, ", "), "");
}

TEST(Strip, RemovesWhiteSpaceAtTheEnds) {
  EXPECT_EQ(strip(" \t a b\n"), "a b");
  EXPECT_EQ(strip("  "), "");
  EXPECT_EQ(strip(""), "");
}

TEST(ReplaceAll, ReplacesWhatStoodThereOnly) {
  EXPECT_EQ(replace_all("it's 'so'", "'", "''"), "it''s ''so''");
  EXPECT_EQ(replace_all("aaa", "aa", "a"), "aa");
  EXPECT_EQ(replace_all("", "a", "b"), "");
}

TEST(Case, ChangesAsciiOnly) {
  EXPECT_EQ(to_lower("FLOAT32 \u00c9"), "float32 \u00c9");
  EXPECT_EQ(to_upper("info_1"), "INFO_1");
}

TEST(Indent, MovesEveryLine) {
  EXPECT_EQ(indent("a\nb"), "    a\n    b");
  EXPECT_EQ(indent("a\n\nb\n", 2), "        a\n        \n        b");
  EXPECT_EQ(indent("", 1), "    ");
  EXPECT_EQ(indent("a\nb", 0), "a\nb");
  EXPECT_EQ(indent("\na", 0), "\na");
}

TEST(CodePoints, CountsCharacters) {
  EXPECT_EQ(code_points("abc"), 3u);
  EXPECT_EQ(code_points("\u00e9\u65e5\U0001f600"), 3u);
  EXPECT_EQ(code_points("\xff\xfe"), 2u);
  EXPECT_EQ(code_points("\xe6\x97"), 2u);
}

TEST(CodePoints, RefusesWhatIsNotUtf8) {
  const auto first = [](std::string_view text) { return first_code_point(text).value; };
  EXPECT_EQ(first("\u00e9"), U'\u00e9');
  EXPECT_EQ(first("\U0010ffff"), U'\U0010ffff');
  EXPECT_EQ(first("\xc0\x80"), 0xdcc0u);          // overlong
  EXPECT_EQ(first("\xe0\x80\x80"), 0xdce0u);      // overlong
  EXPECT_EQ(first("\xed\xa0\x80"), 0xdcedu);      // a surrogate
  EXPECT_EQ(first("\xf4\x90\x80\x80"), 0xdcf4u);  // beyond Unicode
  EXPECT_EQ(first("\x80"), 0xdc80u);
}

TEST(ClosestMatch, FindsTyposAndNothingElse) {
  const std::vector<std::string_view> options = {"--onnxrt", "--openvino", "--validate",
                                                 "--verbose", "--val-range"};
  EXPECT_EQ(closest_match("--onxrt", options), "--onnxrt");
  EXPECT_EQ(closest_match("--onnxtr", options), "--onnxrt");
  EXPECT_EQ(closest_match("--OpenVino", options), "--openvino");
  EXPECT_EQ(closest_match("--vaildate", options), "--validate");
  EXPECT_EQ(closest_match("--val_range", options), "--val-range");
  EXPECT_EQ(closest_match("--frobnicate", options), "");
  EXPECT_EQ(closest_match("", options), "");
  EXPECT_EQ(closest_match("--onnxrt", {}), "");
}

TEST(ClosestMatch, TheFirstOfEqualsWins) {
  const std::vector<std::string_view> options = {"abcd1", "abcd2"};
  EXPECT_EQ(closest_match("abcd3", options), "abcd1");
}

}  // namespace
}  // namespace polygraphy
