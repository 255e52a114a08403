#include "polygraphy/diagnosis/sensitivity/output_effects.h"

#include <limits>
#include <utility>

namespace polygraphy {

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

}  // namespace polygraphy
