#include "polygraphy/comparison/output_check/output_check.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

ArrayMap logits(std::vector<float> values) {
  ArrayMap outputs;
  const auto count = static_cast<int64_t>(values.size());
  outputs.set("logits", Array::of<float>({1, count}, std::span<const float>(values)));
  return outputs;
}

std::shared_ptr<const Labels> zeros(int64_t count) {
  std::string lines;
  for (int64_t i = 0; i < count; ++i) lines += "0\n";
  return std::make_shared<const Labels>(parse_labels(lines, "labels.txt"));
}

const ArrayMap kFirst = logits({2, 1, 0}), kSecond = logits({1, 2, 0});

TEST(OutputJudge, FailsAtTheFirstOutputBeyondTheTolerance) {
  OutputJudge judge({.metrics = {find_metric("simple")}}, "float", "half");
  EXPECT_EQ(judge.verdict().agreement, Agreement::kNotCompared);
  judge.add({}, kFirst, kFirst);
  EXPECT_FALSE(judge.decided());
  EXPECT_TRUE(judge.verdict().passed());
  judge.add({}, kFirst, kSecond);
  EXPECT_TRUE(judge.decided());
  EXPECT_TRUE(
      headline(judge.verdict())
          .starts_with(
              "1 output of half and float in 2 samples differs by more than the tolerances"))
      << headline(judge.verdict());
  EXPECT_EQ(judge.measure(), "simple");
}

TEST(OutputJudge, CountsTokens) {
  OutputJudge judge({.metrics = {find_metric("tokens")}}, "float", "int4");
  judge.add({}, kFirst, kSecond);
  judge.add({}, kFirst, kFirst);
  const Verdict verdict = judge.verdict();
  ASSERT_TRUE(verdict.tokens);
  EXPECT_EQ(verdict.tokens->tokens, 2);
  EXPECT_EQ(verdict.tokens->flips, 1);
  EXPECT_FALSE(verdict.passed());
}

TEST(OutputJudge, AsksTheTaskMetricOverAllSamples) {
  OutputJudge judge({.task_metric = TaskMetricJob{.labels = zeros(4), .drop = 0.3}}, "float",
                    "int4");
  for (int i = 0; i < 4; ++i) judge.add({}, kFirst, i == 2 ? kSecond : kFirst);
  EXPECT_TRUE(judge.verdict().passed()) << headline(judge.verdict());
  EXPECT_EQ(judge.verdict().unit, "sample");
  EXPECT_EQ(judge.measure(), "top1 (drop of at most 30%)");
}

TEST(OutputJudge, TakesNextTokensOfFeedsAsLabels) {
  ValueMap feed;
  const std::vector<int64_t> tokens = {0, 0, 1};
  feed.set("input_ids", Value(Array::of<int64_t>({1, 3}, std::span<const int64_t>(tokens))));
  ArrayMap outputs;
  const std::vector<float> scores = {5, 0, 0, 5, 0, 0};
  outputs.set("logits", Array::of<float>({1, 3, 2}, std::span<const float>(scores)));
  OutputJudge judge({.task_metric = TaskMetricJob{.metric = "perplexity"}}, "float", "int4");
  judge.add(feed, outputs, outputs);
  EXPECT_TRUE(judge.verdict().passed()) << headline(judge.verdict());
  EXPECT_EQ(judge.verdict().samples, 1);
}

}  // namespace
}  // namespace polygraphy
