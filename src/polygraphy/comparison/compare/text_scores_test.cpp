#include "polygraphy/comparison/compare/text_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "base/error.h"

namespace polygraphy {
namespace {

// A window of four tokens of a vocabulary of two, and the token behind it.
IterationResult window(std::vector<float> logits, std::vector<int64_t> tokens = {0, 1, 1, 0, 1}) {
  IterationResult result;
  result.runner_name = "R";
  result.outputs.set("logits", Array::of<float>({1, 4, 2}, std::span(logits)));
  result.outputs.set("tokens", Array::of<int64_t>({1, 5}, std::span(tokens)));
  return result;
}

const float kThree = std::log(3.0f);  // against 0: probabilities of 3/4 and 1/4

TEST(TextScores, TheSecondHalfOfAWindowCounts) {
  // The row at position 2 predicts token 0.
  TextScores scores;
  scores.add({window({9, 9, 9, 9, kThree, 0, 9, 9}), window({0, 9, 9, 0, 0, 0, 9, 9})});
  scores.add({window({9, 9, 9, 9, 0, 0, 9, 9}), window({9, 9, 9, 9, 0, 0, 9, 9})});
  const TextFigures figures = scores.figures();
  EXPECT_EQ(figures.tokens, 2);
  EXPECT_EQ(figures.windows, 2);
  EXPECT_NEAR(figures.runners[0].perplexity.value, std::sqrt(4.0 / 3 * 2), 1e-6);
  EXPECT_NEAR(figures.runners[1].perplexity.value, 2, 1e-6);
  EXPECT_NEAR(figures.runners[1].perplexity.error, 0, 1e-6);
  const double divergence = 0.75 * std::log(1.5) + 0.25 * std::log(0.5);
  EXPECT_NEAR(figures.pairs[0].divergence.value, divergence / 2, 1e-6);
  EXPECT_NEAR(figures.pairs[0].divergence.error, divergence / 2, 1e-6);
  EXPECT_EQ(figures.pairs[0].same_top1.value, 1);
  EXPECT_NEAR(figures.pairs[0].perplexity_ratio.value, 2 / std::sqrt(8.0 / 3), 1e-6);
  EXPECT_EQ(lines_of(figures).front(), "Perplexity of R: 1.63299 +/- 0.33 (2 tokens in 2 windows)");
}

TEST(TextScores, SavedResultsAreTheReference) {
  IterationResult saved = window({9, 9, 9, 9, kThree, 0, 9, 9});
  saved.saved = true;
  saved.file = "float.json";
  TextScores scores;
  scores.add({window({0, 9, 9, 0, 0, 0, 9, 9}), saved});
  EXPECT_EQ(scores.figures().pairs[0].reference, "R (float.json)");
  EXPECT_NEAR(scores.figures().pairs[0].perplexity_ratio.value, 1.5, 1e-6);
}

TEST(TextScores, OtherTextsAreRefused) {
  const std::vector<float> logits(8);
  TextScores scores;
  EXPECT_THROW(scores.add({window(logits), window(logits, {0, 1, 0, 0, 1})}), Error);
  IterationResult last = window(logits);
  last.outputs.set("logits", Array::zeros(DataType::kFloat32, {1, 1, 2}));
  EXPECT_THROW(scores.add({last}), Error);
}

}  // namespace
}  // namespace polygraphy
