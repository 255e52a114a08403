#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/testdata/log_text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;

class TokensTest : public testing::Test {
 protected:
  OutputResult judge(const Array& a, const Array& b, const Array* noise = nullptr,
                     const std::string& name = "logits") {
    ArrayMap one, other;
    one.set(name, a);
    other.set(name, b);
    const auto function = make_function(*find_metric("tokens"), options_);
    function->begin(one, other, log_.log());
    if (!function->judges(name)) return {.left = true};
    return function->compare({.name0 = name,
                              .name1 = name,
                              .runner0 = "R0",
                              .runner1 = "R1",
                              .a = a,
                              .b = b,
                              .noise = noise,
                              .noise_threshold = 3},
                             log_.log());
  }
  double figure(const OutputResult& result, std::string_view name) {
    const auto names = figure_names(*find_metric("tokens"));
    return result
        .figures[static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin())]
        .value();
  }
  void set(const std::string& option, double value) { options_.numbers[option] = {{"", {value}}}; }

  MetricOptions options_;
  LogText log_;
};

// Two rows of three tokens.
const Array kReference = Array::of<float>({1, 2, 3}, {3, 1, 0, 1, 1.25f, 0});
const Array kNearTie = Array::of<float>({1, 2, 3}, {3, 1, 0, 1.25f, 1, 0});  // of the second row

TEST_F(TokensTest, EqualLogitsPass) {
  const OutputResult result = judge(kReference, kReference);
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(figure(result, "same_top1"), 1);
  EXPECT_EQ(figure(result, "kl_max"), 0);
  EXPECT_EQ(result.tokens->tokens, 2);
}

TEST_F(TokensTest, EveryFlipCountsWhereNoNoiseIsKnown) {
  const OutputResult result = judge(kReference, kNearTie);
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.tokens->wrong, 1);
  EXPECT_EQ(result.tokens->first_wrong, "logits[0, 1]");
  EXPECT_EQ(result.excess, std::nullopt);
  EXPECT_EQ(figure(result, "first_flip"), 1);
  EXPECT_EQ(figure(result, "worst_rank"), 1);
  EXPECT_EQ(to_text(*result.tokens), "1 of 2 tokens flips, the first is logits[0, 1]");
}

TEST_F(TokensTest, AFlipWithinTheNoiseIsANearTie) {
  const Array noise = Array::of<float>({6}, {0.12f, 0.12f, 0.12f, 0.12f, 0.12f, 0.12f});
  const OutputResult result = judge(kReference, kNearTie, &noise);
  EXPECT_TRUE(result.passed) << "0.25 is less than 3 * sqrt(2) * 0.12";
  EXPECT_EQ(result.tokens->near_ties(), 1);
  EXPECT_LT(*result.excess, 1);
  EXPECT_EQ(to_text(*result.tokens), "1 of 2 tokens flips, at a near tie");

  const Array small = Array::of<float>({6}, {0.1f, 0.1f, 0.1f, 0.01f, 0.01f, 0.01f});
  const OutputResult wrong = judge(kReference, kNearTie, &small);
  EXPECT_FALSE(wrong.passed) << "the noise of another row does not count";
  EXPECT_GT(*wrong.excess, 1);
  EXPECT_THAT(log_.take(), HasSubstr("Position [0, 1]: token 1 became 0 | margin 0.25"));
}

TEST_F(TokensTest, ATieDoesNotExcuseNumbersThatMovedFar) {
  const Array noise = Array::of<float>({6}, {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f});
  const Array far = Array::of<float>({1, 2, 3}, {3, 1, 0, 9, 1, 0});
  EXPECT_FALSE(judge(kReference, far, &noise).passed);
}

// Each of 100 rows is off by less than the noise may move one.
TEST_F(TokensTest, ManyRowsTogetherVaryLessThanOne) {
  std::vector<float> right, wrong, error(300, 0.12f);
  for (int row = 0; row < 100; ++row) {
    for (const float logit : {3.f, 1.f, 0.f}) right.push_back(logit);
    for (const float logit : {3.2f, 0.8f, 0.f}) wrong.push_back(logit);
  }
  right[0] = wrong[1] = 3.0f;
  right[1] = wrong[0] = 3.25f;
  const auto rows = [](const std::vector<float>& all, int64_t count) {
    return Array::of<float>({1, count, 3},
                            std::span<const float>(all).first(static_cast<size_t>(3 * count)));
  };
  const Array noise = rows(error, 100), one = rows(error, 1);
  EXPECT_TRUE(judge(rows(right, 1), rows(wrong, 1), &one).passed);
  const OutputResult result = judge(rows(right, 100), rows(wrong, 100), &noise);
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(to_text(*result.tokens),
              HasSubstr("at a near tie; but all logits are off by 1.36× their noise, 1.1 allowed"));
}

// Logits of two positions; the text has one token in front of them, and one that comes next.
TEST_F(TokensTest, TextsArePartlyTheSame) {
  const Array flipped = Array::of<float>({1, 2, 3}, {1, 3, 0, 9, 0, 0});
  const auto judge_texts = [&](std::vector<int64_t> one, std::vector<int64_t> other) {
    ArrayMap a, b;
    for (auto [outputs, tokens] : {std::pair(&a, &one), std::pair(&b, &other)})
      outputs->set("tokens", Array::of<int64_t>({1, 4}, std::span(*tokens)));
    a.set("logits", kReference);
    b.set("logits", flipped);
    set("tokens_margin", 2);
    const auto function = make_function(*find_metric("tokens"), options_);
    function->begin(a, b, log_.log());
    return function->compare({"logits", "logits", "R0", "R1", kReference, flipped}, log_.log());
  };
  const OutputResult parted = judge_texts({7, 8, 0, 1}, {7, 8, 1, 0});
  EXPECT_TRUE(parted.passed) << "the second row is of other tokens";
  EXPECT_EQ(parted.tokens->tokens, 1);
  EXPECT_EQ(judge_texts({7, 8, 0, 1}, {7, 8, 0, 0}).tokens->tokens, 2);
  const OutputResult other = judge_texts({7, 8, 0, 1}, {7, 9, 0, 1});
  EXPECT_FALSE(other.passed);
  EXPECT_THAT(log_.take(), HasSubstr("The sides were given other prompts"));
}

TEST_F(TokensTest, NoiseThatReachesAnyTokenIsTooMuch) {
  const Array noise = Array::of<float>({6}, {1, 1, 1, 1, 1, 1});
  const OutputResult result = judge(kReference, kNearTie, &noise);
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.failure, Agreement::kTooCoarse);
}

// Each of four rows is off by 0.5 in one of three logits, and the last one's best token changes.
TEST_F(TokensTest, AMarginMayBeEstimatedByTheSpreadOfThePair) {
  const auto rows = [](float last) {
    std::vector<float> logits;
    for (int row = 0; row < 3; ++row) logits.insert(logits.end(), {0, 9, 0.5f});
    logits.insert(logits.end(), {0, 9, last});
    return Array::of<float>({1, 4, 3}, std::span<const float>(logits));
  };
  std::vector<float> of_reference;
  for (int row = 0; row < 3; ++row) of_reference.insert(of_reference.end(), {0, 9, 0});
  options_.numbers["tokens_margin"] = {{"", {std::numeric_limits<double>::quiet_NaN(), "auto"}}};
  const auto judge_last = [&](float margin) {
    std::vector<float> logits = of_reference;
    logits.insert(logits.end(), {0, 9, 9 - margin});
    return judge(Array::of<float>({1, 4, 3}, std::span<const float>(logits)), rows(9.1f));
  };
  // sqrt(2) * 3 times the deviation of (0, 0, 0.5), which is 0.2357
  EXPECT_TRUE(judge_last(0.9f).passed);
  EXPECT_FALSE(judge_last(1.1f).passed);
  EXPECT_EQ(to_text(*judge_last(0.9f).tokens),
            "1 of 4 tokens flips, at a near tie; near ties are an estimate, by the spread of the "
            "pair itself");
}

TEST_F(TokensTest, AMarginMayBeGiven) {
  set("tokens_margin", 0.25);
  EXPECT_TRUE(judge(kReference, kNearTie).passed);
  set("tokens_margin", 0.2);
  EXPECT_FALSE(judge(kReference, kNearTie).passed);
}

TEST_F(TokensTest, TheDivergenceMayBeLimited) {
  const Array flat = Array::of<float>({1, 2, 3}, {1, 0.9f, 0.8f, 1, 1.25f, 0});
  EXPECT_TRUE(judge(kReference, flat).passed) << "no token flips";
  set("tokens_kl", 0.01);
  EXPECT_FALSE(judge(kReference, flat).passed);
  EXPECT_THAT(log_.take(), HasSubstr("The mean divergence exceeds 0.01"));
  set("tokens_kl", 0);
  const OutputResult equal = judge(kReference, kReference);
  EXPECT_TRUE(equal.passed);
  EXPECT_EQ(equal.tokens->also, "") << "0 does not exceed 0";
}

TEST_F(TokensTest, TheVocabularyMayLieAlongAnyAxis) {
  const auto turned = [](const Array& array) {
    return array.transposed(std::vector<int64_t>{0, 2, 1});
  };
  set("tokens_axis", 1);
  const OutputResult result = judge(turned(kReference), turned(kNearTie));
  EXPECT_EQ(result.tokens->tokens, 2);
  EXPECT_EQ(result.tokens->first_wrong, "logits[0, 1]");
  set("tokens_axis", 3);
  EXPECT_THROW(judge(kReference, kNearTie), Error);
}

TEST_F(TokensTest, RowsThatAreNoLogitsAreWrong) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const OutputResult result = judge(kReference, Array::of<float>({1, 2, 3}, {3, nan, 0, 1, 2, 0}));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.tokens->wrong, 1);
}

TEST_F(TokensTest, ATokenThatCanNeverFollowIsWrong) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Array without = Array::of<float>({1, 2, 3}, {3, 1, 0, 1, 1.25f, -infinity});
  const Array noise = Array::of<float>({6}, {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f});
  for (const Array* known : {static_cast<const Array*>(nullptr), &noise}) {
    const OutputResult result = judge(kReference, without, known);
    EXPECT_FALSE(result.passed);
    EXPECT_EQ(result.excess, std::numeric_limits<double>::infinity());
    EXPECT_EQ(to_text(*result.tokens),
              "2 tokens, none flips; but token 2 can never follow logits[0, 1]: its logit is -inf, "
              "and a number in the reference");
  }
  EXPECT_TRUE(judge(without, without).passed);
}

TEST_F(TokensTest, VocabulariesOfOtherSizesAreNamed) {
  EXPECT_FALSE(judge(kReference, Array::zeros(DataType::kFloat32, {1, 2, 4})).passed);
  EXPECT_THAT(log_.take(), HasSubstr("The vocabularies differ: 3 tokens and 4 along axis -1"));
}

TEST_F(TokensTest, CachesAndIntegersAreNotCompared) {
  EXPECT_TRUE(judge(kReference, kReference, nullptr, "present.0.key").left);
  EXPECT_TRUE(judge(Array::of<int64_t>({2}, {1, 2}), Array::of<int64_t>({2}, {1, 2})).left);
  EXPECT_FALSE(judge(kReference, kReference, nullptr, "scores").left) << "no other logits";
}

TEST_F(TokensTest, Float16AndManyRows) {
  const Array a = Array::zeros(DataType::kFloat16, {3, 100, 5});
  const OutputResult result = judge(a, a);
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.tokens->tokens, 300);
}

}  // namespace
}  // namespace polygraphy
