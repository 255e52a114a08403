#include "base/shell_words.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ShellWordsTest, BlanksSeparateWords) {
  EXPECT_THAT(shell_words("srun -n1   --mem 4G "), ElementsAre("srun", "-n1", "--mem", "4G"));
  EXPECT_THAT(shell_words(" \t"), IsEmpty());
}

TEST(ShellWordsTest, QuotesKeepThemTogether) {
  EXPECT_THAT(shell_words(R"(a 'b c'd "e 'f'" '')"), ElementsAre("a", "b cd", "e 'f'", ""));
  EXPECT_THAT(shell_words(R"(a\ b "c\"d\e" 'f\g')"), ElementsAre("a b", R"(c"d\e)", R"(f\g)"));
}

TEST(ShellWordsTest, NothingIsExpanded) {
  EXPECT_THAT(shell_words("$HOME *.onnx a|b"), ElementsAre("$HOME", "*.onnx", "a|b"));
}

TEST(ShellWordsTest, AQuoteHasTwoEnds) {
  EXPECT_THROW(shell_words("a 'b"), Error);
}

TEST(ShellWordsTest, WordsSurviveAShell) {
  EXPECT_EQ(shell_word("model_1.onnx"), "model_1.onnx");
  for (const char* word : {"", "a b", "it's", "$x", "\"", "a\\b", "*"}) {
    EXPECT_THAT(shell_words(shell_word(word)), ElementsAre(word));
  }
}

}  // namespace
}  // namespace polygraphy
