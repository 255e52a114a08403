#include "polygraphy/models/loaders/close_matches.h"

#include <gmock/gmock.h>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Figures of Python's difflib.SequenceMatcher(None, a, b).ratio().
TEST(Similarity, IsDifflibsRatio) {
  EXPECT_DOUBLE_EQ(similarity("Conv", "Con"), 6.0 / 7);
  EXPECT_DOUBLE_EQ(similarity("ConvTranspose", "Con"), 0.375);
  EXPECT_DOUBLE_EQ(similarity("abxcd", "abcd"), 8.0 / 9);
  EXPECT_DOUBLE_EQ(similarity("qabxcd", "abycdf"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(similarity("tide", "diet"), 0.25);
  EXPECT_DOUBLE_EQ(similarity("diet", "tide"), 0.5);
  EXPECT_DOUBLE_EQ(similarity("", ""), 1);
  EXPECT_DOUBLE_EQ(similarity("", "a"), 0);
}

TEST(CloseMatches, BestFirstAndAmongEqualsTheAlphabeticallyLast) {
  const std::vector<std::string> ops = {"Add", "Conv", "Cos", "Gemm", "Relu"};
  EXPECT_THAT(close_matches("Con", ops), ElementsAre("Conv", "Cos"));
  EXPECT_THAT(close_matches("relu", ops), ElementsAre("Relu"));
  EXPECT_THAT(close_matches("LSTM", ops), IsEmpty());
  const std::vector<std::string> equals = {"ab1", "ab2", "ab3", "ab4", "ab5", "ab6"};
  EXPECT_THAT(close_matches("ab", equals), ElementsAre("ab6", "ab5", "ab4", "ab3", "ab2"));
}

}  // namespace
}  // namespace polygraphy
