#include "polygraphy/comparison/task_metrics/task_metric_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

namespace polygraphy {
namespace {

class TaskMetricTest : public testing::Test {
 protected:
  // One label per line.
  static std::shared_ptr<const Labels> labels(int64_t count, const char* line) {
    std::string lines;
    for (int64_t i = 0; i < count; ++i) lines += std::string(line) + "\n";
    return parsed(lines);
  }
  static std::shared_ptr<const Labels> parsed(const std::string& text) {
    return std::make_shared<const Labels>(parse_labels(text, "labels.txt"));
  }

  static IterationResult scores(const char* runner, std::vector<float> values) {
    IterationResult result;
    result.runner_name = runner;
    const auto count = static_cast<int64_t>(values.size());
    result.outputs.set("y", Array::of<float>({1, count}, std::span<const float>(values)));
    return result;
  }

  const IterationResult right_ = scores("A", {0, 1, 0}), wrong_ = scores("B", {1, 0, 0});
  Logger log_;
};

TEST_F(TaskMetricTest, DecidesAsSoonAsItIsCertain) {
  const auto comparison = task_metric_comparison({.labels = labels(1000, "1")}, log_);
  int64_t samples = 0;
  for (; !comparison->decided() && samples < 1000; ++samples) comparison->compare(right_, wrong_);
  EXPECT_LT(samples, 20);
  const Verdict verdict = comparison->verdict("A", "B");
  EXPECT_EQ(verdict.agreement, Agreement::kDiffers);
  EXPECT_EQ(verdict.unit, "sample");
  EXPECT_EQ(verdict.total, 1000);
  EXPECT_EQ(verdict.compared, samples);
  EXPECT_EQ(verdict.excess, 200);  // times the limit of 0.5%
  EXPECT_TRUE(verdict.reason.starts_with("0% instead of 100%, a drop of 100%, at least "))
      << verdict.reason;
  EXPECT_EQ(comparison->measure(), "top1 (drop of at most 0.5%)");
}

TEST_F(TaskMetricTest, OtherSpellingsOfACountAreKnown) {
  const auto hint = [&](const std::string& metric) {
    try {
      task_metric_comparison({.metric = metric, .labels = labels(1, "1")}, log_);
    } catch (const Error& error) {
      return error.hint();
    }
    return std::string();
  };
  for (const char* metric : {"top5", "top-5", "top_5", "top@5", "top:5"})
    EXPECT_TRUE(hint(metric).starts_with("Did you mean 'topk:5'?\nMetrics: top1, topk:K, "))
        << metric << ": " << hint(metric);
  EXPECT_TRUE(hint("mep").starts_with("Did you mean 'map'?")) << hint("mep");
}

TEST_F(TaskMetricTest, LabelsWithoutResultsAreNoVerdict) {
  const auto comparison = task_metric_comparison({.labels = labels(1000, "1")}, log_);
  for (int i = 0; i < 10; ++i) comparison->compare(right_, right_);
  EXPECT_FALSE(comparison->decided());
  const Verdict verdict = comparison->verdict("A", "B");
  EXPECT_EQ(verdict.agreement, Agreement::kNotCompared);  // of sides that were not compared
  const Verdict same = comparison->verdict("A", "A");
  EXPECT_EQ(same.agreement, Agreement::kFailed);
  EXPECT_EQ(same.compared, 10);
  EXPECT_TRUE(same.reason.ends_with(" has 1000 labels, but there were 10 samples")) << same.reason;
}

// 200 samples whose outputs are right, until the comparison is decided.
TEST_F(TaskMetricTest, OtherNumbersOfLabelsAreNeverAVerdict) {
  struct Case {
    int64_t labels;
    std::optional<int64_t> inputs;
    bool asks;  // whether it has enough
    const char* error;
  };
  for (const auto& [count, inputs, asks, error] : {
           Case{200, 200, true, ""},
           Case{201, 200, true, "labels.txt has 201 labels, but there were 200 samples"},
           Case{500, 200, true, "labels.txt has 500 labels, but there were 200 samples"},
           Case{500, {}, false, "labels.txt has 500 labels, but there were 200 samples"},
           Case{199, 200, true, "labels.txt has 199 labels, but there are more samples"},
       }) {
    const auto comparison = task_metric_comparison(
        {.labels = labels(count, "1"), .drop = 0.02, .iterations = inputs, .even = false}, log_);
    std::string reason;
    int64_t samples = 0;
    try {
      while (samples < 200 && !(asks && comparison->decided())) {
        ++samples;
        comparison->compare(right_, scores("B", {0, 1, 0}));
      }
      const Verdict verdict = comparison->verdict("A", "B");
      if (verdict.agreement == Agreement::kFailed) reason = verdict.reason;
    } catch (const Error& failed) {
      reason = failed.what();
    }
    EXPECT_EQ(reason, error);
    EXPECT_EQ(samples < 200, count == 200) << "a verdict needs few samples if the labels fit";
  }
}

TEST_F(TaskMetricTest, ASideThatIsBetterAgrees) {
  const auto comparison = task_metric_comparison({.labels = labels(10, "1")}, log_);
  for (int i = 0; i < 10; ++i) comparison->compare(wrong_, right_);
  const Verdict verdict = comparison->verdict("B", "A");
  EXPECT_EQ(verdict.agreement, Agreement::kAgrees);
  EXPECT_EQ(verdict.reason, "100% instead of 0%, a rise of 100%");
}

TEST_F(TaskMetricTest, SavedResultsAreTheReferenceOfARunner) {
  const auto comparison =
      task_metric_comparison({.labels = labels(10, "1"), .runners = {"B"}}, log_);
  for (int i = 0; i < 10; ++i) comparison->compare(wrong_, right_);
  const Verdict verdict = comparison->verdict("B", "A");
  EXPECT_EQ(verdict.agreement, Agreement::kDiffers);
  EXPECT_EQ(verdict.reference, "A");
  EXPECT_EQ(verdict.target, "B");
}

TEST_F(TaskMetricTest, LabelsAreThoseOfTheIteration) {
  TaskMetricJob job{.labels = parsed("[2, 1, 0]")};
  job.order = {1, 2, 0};
  job.iterations = 3;
  const auto comparison = task_metric_comparison(job, log_);
  // Three sides: two pairs in each iteration.
  for (const int label : {1, 0, 2}) {
    std::vector<float> values(3, 0.0f);
    values[static_cast<size_t>(label)] = 1;
    comparison->compare(scores("A", values), scores("B", values));
    comparison->compare(scores("B", values), scores("C", values));
  }
  EXPECT_EQ(comparison->verdict("A", "B").reason, "100% instead of 100%, no change");
  EXPECT_EQ(comparison->verdict("B", "C").reason, "100% instead of 100%, no change");
}

TEST_F(TaskMetricTest, ANaNOfTheTargetIsWrong) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto comparison = task_metric_comparison({.labels = labels(2, "1")}, log_);
  comparison->compare(right_, scores("B", {0, kNan, 0}));
  comparison->compare(right_, scores("B", {kNan, 1, 0}));  // ranks above the label's score
  EXPECT_EQ(comparison->verdict("A", "B").reason, "0% instead of 100%, a drop of 100%");
}

TEST_F(TaskMetricTest, APerplexityThatIsNoNumberDiffers) {
  const auto logits = [](const char* runner, float value) {
    IterationResult result;
    result.runner_name = runner;
    result.outputs.set("y", Array::of<float>({1, 1, 2}, {value, 0}));
    return result;
  };
  const TaskMetricJob job{.metric = "perplexity", .labels = parsed("[[0], [0]]")};
  const auto comparison = task_metric_comparison(job, log_);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  comparison->compare(logits("A", 1), logits("B", 1));
  EXPECT_FALSE(comparison->decided());
  comparison->compare(logits("A", 1), logits("B", kNan));
  EXPECT_TRUE(comparison->decided());
  EXPECT_EQ(comparison->verdict("A", "B").agreement, Agreement::kDiffers);
  EXPECT_THROW(task_metric_comparison(job, log_)->compare(logits("A", kNan), logits("B", 1)),
               Error);
}

TEST_F(TaskMetricTest, NothingIsComparedWithoutRightResults) {
  const TaskMetricJob job{.metric = "wer", .labels = labels(1, "-1")};
  const auto comparison = task_metric_comparison(job, log_);
  IterationResult heard;
  heard.runner_name = "A";
  heard.outputs.set("y", Array::of<int64_t>({1, 1}, {3}));
  comparison->compare(heard, heard);
  const Verdict verdict = comparison->verdict("A", "A");
  EXPECT_EQ(verdict.agreement, Agreement::kNotCompared);
  EXPECT_EQ(verdict.compared, 0);
}

}  // namespace
}  // namespace polygraphy
