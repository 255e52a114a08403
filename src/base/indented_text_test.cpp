#include "base/indented_text.h"

#include <gtest/gtest.h>

#include <string>

namespace polygraphy {
namespace {

TEST(IndentedText, LinesBeginAtTheMargin) {
  IndentedText text;
  text.line("a");
  text.set_margin(4);
  text.line("b", 2);
  text.line("");
  text.line("c");
  EXPECT_EQ(text.take(), "a\n      b\n    \n    c");
}

TEST(IndentedText, ALineCanBeContinued) {
  IndentedText text("title\n");
  text.begin_line(2);
  text.put("{a,");
  text.continue_line(1);
  text.put("b}");
  text.end_line();
  EXPECT_EQ(text.take(), "title\n  {a,\n   b}");
}

TEST(IndentedText, BreaksInsideATextBeginALineAtTheSamePlace) {
  IndentedText text;
  text.begin_line(3);
  text.put("one\ntwo\r\nthree");
  text.put("\n");
  text.put(std::string_view("four\v\x1c"));
  text.put("five \xe2\x80\xa8six\xc2\x85seven");
  text.end_line();
  EXPECT_EQ(text.take(), "   one\n   two\n   three\n   four\n   \n   five \n   six\n   seven");
}

TEST(IndentedText, TheBreakAtTheEndOfABlockIsDropped) {
  IndentedText text;
  text.begin_line(1);
  text.put_block("a\nb\n");
  text.put('|');
  text.put_block("\n\n");
  text.put('|');
  text.end_line();
  EXPECT_EQ(text.take(), " a\n b|\n |");
}

TEST(IndentedText, OtherCharactersAreNoBreaks) {
  IndentedText text;
  // Near misses in encoding: U+0080, U+2027, U+00C2, tab, and two cut-off sequences.
  const std::string odd = "\xc2\x80 \xe2\x80\xa7 \xc3\x82 \t long enough for eight bytes \xe2\x80";
  text.put(odd);
  text.put("\xc2");
  EXPECT_EQ(text.take(), odd + "\xc2");
}

TEST(IndentedText, NumbersAndTheEnd) {
  IndentedText text;
  text.put(int64_t{-9223372036854775807} - 1);
  text.put(" \n\t ");
  EXPECT_EQ(text.take(), "-9223372036854775808");
  EXPECT_EQ(IndentedText(" \n").take(), "");
}

}  // namespace
}  // namespace polygraphy
