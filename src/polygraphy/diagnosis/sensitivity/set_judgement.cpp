#include "polygraphy/diagnosis/sensitivity/set_judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/metrics/shared/logits.h"
#include "polygraphy/comparison/compare/metrics/shared/token_rows.h"

namespace polygraphy {
namespace {

// Null: the check has no such function.
const OutputCheck* by_tokens(const SensitivityCheck& check) {
  const auto* outputs = std::get_if<OutputCheck>(&check);
  if (!outputs) return nullptr;
  const bool found = std::ranges::any_of(
      outputs->metrics, [](const Metric* metric) { return name_of(*metric) == "tokens"; });
  return found ? outputs : nullptr;
}

constexpr const char* kReference = "floating point";

Verdict verdict_of(const std::string& model, const OutputEffect& effect, double limit,
                   size_t samples) {
  Verdict verdict{.target = model,
                  .reference = kReference,
                  .measure = fmt::format("a relative error of {:g}", limit),
                  .total = 1,
                  .compared = 1,
                  .samples = static_cast<int64_t>(samples)};
  const double error = effect.error;
  verdict.excess = limit > 0   ? error / limit
                   : error > 0 ? std::numeric_limits<double>::infinity()
                               : 0;
  verdict.agreement = error <= limit ? Agreement::kAgrees : Agreement::kDiffers;
  if (!verdict.passed()) {
    verdict.off = 1;
    verdict.worst = effect.output;
  }
  return verdict;
}

}  // namespace

LogitAxes logit_axes(const ArrayMap& outputs, const SensitivityCheck& check) {
  const OutputCheck* tokens = by_tokens(check);
  const PerOutput<GivenNumber> given =
      tokens ? tokens->metric_options.numbers_of(kVocabularyAxis) : PerOutput<GivenNumber>();
  LogitAxes axes;
  for (const std::string& name : tokens ? judged_logits(outputs, given) : named_logits(outputs)) {
    const Array* array = outputs.find(name);
    if (array && may_be_logits(*array))
      axes.emplace_back(name, vocabulary_axis(name, *array, given));
  }
  return axes;
}

bool decides_by_tokens(const SensitivityCheck& check) {
  const auto* outputs = std::get_if<OutputCheck>(&check);
  return by_tokens(check) || (outputs && outputs->task_metric);
}

void TokenSums::add(const ArrayMap& reference, const ArrayMap& observed) {
  for (const auto& [name, axis] : axes_) {
    const Array *one = reference.find(name), *other = observed.find(name);
    if (!one || !other || one->shape() != other->shape()) continue;
    const std::optional<LogitRows> noise;
    add_rows({LogitRows(*one, axis), LogitRows(*other, axis), noise}, summary_);
  }
}

std::optional<TokenEffect> TokenSums::effect() const {
  if (summary_.tokens() == 0) return std::nullopt;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  return TokenEffect{.divergence = summary_.mean_divergence().value_or(kUnknown),
                     .same_top = summary_.same_top().value_or(kUnknown)};
}

ReferenceOutputs::ReferenceOutputs(std::vector<ArrayMap> outputs, const SensitivityCheck& check)
    : samples(std::move(outputs)) {
  if (samples.empty()) return;
  for (const auto& [name, array] : samples.front()) {
    if (is_floating(array.dtype())) names.push_back(name);
  }
  logits = logit_axes(samples.front(), check);
  for (const std::string& name : names) {
    ErrorSums sums;
    for (const ArrayMap& sample : samples) {
      if (const Array* array = sample.find(name)) add_error(*array, *array, sums);
    }
    signals.push_back(sums.signal);
  }
}

EffectSums::EffectSums(const ReferenceOutputs& reference, bool of_tokens)
    : reference_(reference), errors_(reference.names.size()) {
  if (of_tokens) tokens_.emplace(reference.logits);
}

void EffectSums::add(const ArrayMap& outputs) {
  const ArrayMap& expected = reference_.samples[next_++];
  for (size_t i = 0; i < errors_.size(); ++i) {
    const Array* one = expected.find(reference_.names[i]);
    const Array* other = outputs.find(reference_.names[i]);
    if (one && other) {
      add_error(*one, *other, errors_[i]);
    } else if (one) {
      errors_[i].noise = std::numeric_limits<double>::infinity();
    }
  }
  if (tokens_) tokens_->add(expected, outputs);
}

OutputEffect EffectSums::effect() const {
  OutputEffect effect;
  if (tokens_) effect.tokens = tokens_->effect();
  for (size_t i = 0; i < errors_.size(); ++i) {
    const double error =
        ErrorSums{.signal = reference_.signals[i], .noise = errors_[i].noise}.relative();
    if (i > 0 && !(error > effect.error)) continue;
    effect.output = reference_.names[i];
    effect.error = error;
  }
  return effect;
}

void require_sense(const SensitivityCheck& check, const graphsurgeon::Graph& graph) {
  const auto* outputs = std::get_if<OutputCheck>(&check);
  if (outputs) require_sense(*outputs, graphsurgeon::tensor_names(graph.outputs()));
}

SetJudgement::SetJudgement(const SetCheck& check, std::string model)
    : check_(check), model_(std::move(model)), errors_(check.reference, false) {
  const auto* outputs = std::get_if<OutputCheck>(&check.check);
  if (!outputs) return;
  OutputCheck whole = *outputs;
  if (whole.task_metric) {
    whole.task_metric->confidence = 1;
    whole.task_metric->iterations = static_cast<int64_t>(check.samples.size());
  }
  judge_.emplace(whole, kReference, model_);
}

void SetJudgement::add(const ArrayMap& outputs) {
  if (judge_) {
    judge_->add(check_.samples[next_], check_.reference.samples[next_], outputs);
  } else {
    errors_.add(outputs);
  }
  ++next_;
}

bool SetJudgement::failed() const {
  if (judge_) return judge_->decided();
  return !verdict().passed();
}

Verdict SetJudgement::verdict() const {
  if (judge_) return judge_->verdict();
  return verdict_of(model_, errors_.effect(), std::get<ErrorLimit>(check_.check).limit, next_);
}

JudgedModel judge_model(Runner& runner, const SetCheck& check, const CancelToken& cancel) {
  SetJudgement judgement(check, kMixedModel);
  EffectSums sums(check.reference, true);
  for (const ValueMap& sample : check.samples) {
    cancel.check();
    const ArrayMap outputs = tensors_of(runner.infer(sample));
    judgement.add(outputs);
    sums.add(outputs);
  }
  return {sums.effect(), judgement.verdict()};
}

}  // namespace polygraphy
