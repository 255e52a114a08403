#include "polygraphy/diagnosis/sensitivity/set_judgement.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

ArrayMap outputs(const std::vector<float>& values) {
  ArrayMap made;
  made.set("logits", Array::of<float>({2, 2}, std::span<const float>(values)));
  return made;
}

Verdict judged(const SensitivityCheck& check, const std::vector<float>& observed) {
  const ReferenceOutputs reference({outputs({3, 0, 0, 4})}, check);
  const std::vector<ValueMap> samples(1);
  SetJudgement judgement({check, reference, samples});
  judgement.add(outputs(observed));
  EXPECT_EQ(judgement.failed(), !judgement.verdict().passed());
  return judgement.verdict();
}

SensitivityCheck by(const char* function, double divergence) {
  OutputCheck made{.metrics = {find_metric(function)}};
  made.metric_options.numbers["tokens_kl"].set("", divergence);
  return made;
}

TEST(SetJudgement, ErrorsAreInPartsOfTheReference) {
  EXPECT_TRUE(judged(ErrorLimit{0.5}, {3, 0, 0, 2}).passed());
  const Verdict verdict = judged(ErrorLimit{0.2}, {3, 0, 0, 2});
  EXPECT_EQ(verdict.agreement, Agreement::kDiffers);
  EXPECT_DOUBLE_EQ(*verdict.excess, 2);
  EXPECT_EQ(verdict.worst, "logits");
}

TEST(SetJudgement, TokensMayNotFlip) {
  EXPECT_TRUE(judged(by("tokens", 10), {1, 0, 0, 1}).passed());
  EXPECT_FALSE(judged(by("tokens", 0.01), {1, 0, 0, 1}).passed());
  const Verdict verdict = judged(by("tokens", 10), {0, 1, 0, 1});
  ASSERT_TRUE(verdict.tokens);
  EXPECT_EQ(verdict.tokens->wrong, 1);
  EXPECT_EQ(verdict.reference, "floating point");
}

TEST(SetJudgement, OptionsWithoutSenseAreRefused) {
  const auto model = graphsurgeon::parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[2] x) => (float[2] y) { y = Relu (x) }");
  const auto require = [&](const TaskMetricJob& job) {
    require_sense(OutputCheck{.task_metric = job}, *model.graph);
  };
  EXPECT_THROW(require({.metric = "top7"}), Error);
  EXPECT_THROW(require({.metric = "top1"}), Error);  // no labels
  EXPECT_THROW(require({.metric = "perplexity", .output = "z"}), Error);
  EXPECT_NO_THROW(require({.metric = "perplexity", .output = "y"}));
  EXPECT_NO_THROW(require_sense(ErrorLimit{}, *model.graph));
}

}  // namespace
}  // namespace polygraphy
