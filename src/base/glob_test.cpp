#include "base/glob.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  return Glob(pattern).matches(text);
}

TEST(Glob, StarTakesAnythingQuestionMarkOne) {
  EXPECT_TRUE(matches("conv*", "conv"));
  EXPECT_TRUE(matches("conv*", "conv_12/weight\n"));
  EXPECT_TRUE(matches("*.weight", "layers.0.weight"));
  EXPECT_TRUE(matches("a*b*c", "a_b_b_c"));
  EXPECT_FALSE(matches("a*b*c", "a_c_b"));
  EXPECT_TRUE(matches("x?", "xy"));
  EXPECT_FALSE(matches("x?", "x"));
  EXPECT_FALSE(matches("x?", "xyz"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("**", ""));
}

TEST(Glob, CaseAndSlashesAreOrdinary) {
  EXPECT_FALSE(matches("Conv", "conv"));
  EXPECT_TRUE(matches("a*z", "a/b/z"));
  EXPECT_TRUE(matches("*", ".hidden"));
}

TEST(Glob, SetsAndRanges) {
  EXPECT_TRUE(matches("[abc]", "b"));
  EXPECT_FALSE(matches("[!abc]", "b"));
  EXPECT_TRUE(matches("[!abc]", "d"));
  EXPECT_TRUE(matches("w[0-9a-f]", "wc"));
  EXPECT_FALSE(matches("w[0-9a-f]", "wg"));
  EXPECT_TRUE(matches("[]]", "]"));
  EXPECT_TRUE(matches("[!]]", "["));
  EXPECT_TRUE(matches("[-a]", "-"));
  EXPECT_TRUE(matches("[a-]", "-"));
  EXPECT_FALSE(matches("[z-a]", "m"));
  EXPECT_TRUE(matches("[!z-a]", "m"));
}

TEST(Glob, AnOpenBracketAloneIsItself) {
  EXPECT_TRUE(matches("[abc", "[abc"));
  EXPECT_TRUE(matches("a[", "a["));
  EXPECT_TRUE(matches("[[*]", "*"));
  EXPECT_TRUE(matches("x[[]1]", "x[1]"));
}

TEST(Glob, CountsCharactersNotBytes) {
  EXPECT_TRUE(matches("?", "\u65e5"));
  EXPECT_FALSE(matches("??", "\u65e5"));
  EXPECT_TRUE(matches("[\u3042-\u3093]", "\u3044"));
  EXPECT_TRUE(matches("?\xff", "a\xff"));
}

TEST(Glob, KnowsWhatIsAPattern) {
  EXPECT_FALSE(Glob::is_pattern("/layers.0/MatMul_output_0"));
  EXPECT_TRUE(Glob::is_pattern("layers.?"));
  EXPECT_TRUE(Glob::is_pattern("*"));
  EXPECT_TRUE(Glob::is_pattern("a[0]"));
}

TEST(Glob, ManyStarsDoNotExplode) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(5000, 'a')));
  EXPECT_FALSE(matches(std::string(20'000, '['), std::string(20'000, '[') + "x"));
}

}  // namespace
}  // namespace polygraphy
