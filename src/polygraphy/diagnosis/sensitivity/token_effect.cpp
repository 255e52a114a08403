#include "polygraphy/diagnosis/sensitivity/token_effect.h"

#include <algorithm>
#include <limits>
#include <variant>

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

}  // namespace polygraphy
