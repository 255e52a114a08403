#include "polygraphy/diagnosis/sensitivity/set_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/progress.h"
#include "polygraphy/diagnosis/sensitivity/choose.h"

namespace polygraphy {
namespace {

bool accepts(LayerSets& sets, const SetCheck& check, const std::vector<bool>& quantized,
             const std::optional<double>& bound) {
  SetJudgement judgement(check);
  EffectSums sums(check.reference, true);
  for (size_t i = 0; i < sets.samples(); ++i) {
    const ArrayMap outputs = sets.run(quantized, i);
    judgement.add(outputs);
    if (judgement.failed()) return false;
    if (bound) sums.add(outputs);
  }
  if (!judgement.verdict().passed()) return false;
  return !bound || size_of(sums.effect(), check.check) <= *bound;
}

}  // namespace

OutputEffect effect_of(LayerSets& sets, const SetCheck& check, const std::vector<bool>& quantized) {
  EffectSums sums(check.reference, true);
  for (size_t i = 0; i < sets.samples(); ++i) sums.add(sets.run(quantized, i));
  return sums.effect();
}

// A divergence grows with the square of the error of logits.
double size_of(const OutputEffect& effect, const SensitivityCheck& check) {
  if (!effect.tokens || !decides_by_tokens(check)) return effect.error;
  const double divergence = effect.tokens->divergence;
  return std::isnan(divergence) ? std::numeric_limits<double>::infinity()
                                : std::sqrt(std::max(divergence, 0.0));
}

ChosenSet search_set(LayerSets& sets, const SetCheck& check, const SetSearch& search) {
  ProgressPhase progress("Searching the cheapest set");
  const auto passes = [&](const std::vector<bool>& kept) {
    progress.step();
    std::vector<bool> quantized = kept;
    quantized.flip();
    return accepts(sets, check, quantized, search.bound);
  };
  const Choice choice = choose_kept(search.costs, search.effects, passes, search.most);
  ChosenSet chosen{.kept = choice.kept, .effect = {}, .verdict = {}, .cheapest = choice.cheapest};
  std::vector<bool> quantized = choice.kept;
  quantized.flip();
  SetJudgement judgement(check);
  EffectSums sums(check.reference, true);
  for (size_t i = 0; i < sets.samples(); ++i) {
    const ArrayMap outputs = sets.run(quantized, i);
    judgement.add(outputs);
    sums.add(outputs);
  }
  chosen.effect = sums.effect();
  chosen.verdict = judgement.verdict();
  return chosen;
}

}  // namespace polygraphy
