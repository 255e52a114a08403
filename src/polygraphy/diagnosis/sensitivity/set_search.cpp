#include "polygraphy/diagnosis/sensitivity/set_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/arrays/convert.h"
#include "base/progress.h"
#include "polygraphy/diagnosis/sensitivity/choose.h"

namespace polygraphy {
namespace {

bool passes(SetRuns& sets, const SetCheck& check, const std::vector<bool>& quantized,
            const std::optional<double>& bound) {
  SetJudgement judgement(check);
  EffectSums sums(check.reference, true);
  for (size_t i = 0; i < sets.samples(); ++i) {
    const ArrayMap outputs = sets.run(quantized, i);
    judgement.add(outputs);
    if (judgement.failed()) return false;
    if (bound) sums.add(outputs);
  }
  return judgement.verdict().passed() && (!bound || size_of(sums.effect(), check.check) <= *bound);
}

// The change of the outputs where these layers are quantised.
OutputEffect measure_set(SetRuns& sets, const SetCheck& check, const std::vector<bool>& quantized) {
  EffectSums sums(check.reference, true);
  for (size_t i = 0; i < sets.samples(); ++i) sums.add(sets.run(quantized, i));
  return sums.effect();
}

// All sets of few layers; of many, those that the first set and its reduction take.
int64_t usual_sets(size_t layers) {
  return layers <= 9 ? 512 : std::max<int64_t>(64, static_cast<int64_t>(layers) + 16);
}

bool has_numbers(const ReferenceOutputs& reference) {
  // Outputs may be right and all zero.
  if (std::ranges::any_of(reference.signals, [](double square) { return square > 0; })) return true;
  for (const ArrayMap& sample : reference.samples) {
    for (const std::string& name : reference.names) {
      const Array* output = sample.find(name);
      if (!output) continue;
      const Array numbers = convert(*output, DataType::kFloat64).contiguous_aligned();
      if (std::ranges::any_of(numbers.as<double>(), [](double x) { return std::isfinite(x); }))
        return true;
    }
  }
  return false;
}

}  // namespace

// A divergence grows with the square of the error of logits.
double size_of(const OutputEffect& effect, const SensitivityCheck& check) {
  if (!effect.tokens || !decides_by_tokens(check)) return effect.error;
  const double divergence = effect.tokens->divergence;
  return std::isnan(divergence) ? std::numeric_limits<double>::infinity()
                                : std::sqrt(std::max(divergence, 0.0));
}

SetSearch measure_effects(SetRuns& sets, const SetCheck& check, std::optional<int64_t> most_sets,
                          SensitivityResult& result) {
  const size_t layers = result.layers.size();
  std::vector<std::vector<bool>> quantized(layers, std::vector<bool>(layers, false));
  for (size_t i = 0; i < layers; ++i) quantized[i][i] = true;
  quantized.emplace_back(layers, true);
  sets.expect(quantized);
  SetSearch search{.costs = {}, .effects = {}, .most = most_sets.value_or(usual_sets(layers))};
  ProgressPhase progress("Quantising layers", static_cast<int64_t>(layers));
  for (size_t i = 0; i < layers; ++i) {
    LayerSensitivity& layer = result.layers[i];
    const OutputEffect effect = measure_set(sets, check, quantized[i]);
    layer.effect = effect.error;
    layer.tokens = effect.tokens;
    search.effects.push_back(size_of(effect, check.check));
    search.costs.push_back(std::max<int64_t>(layer.saved(), 0));
    progress.step();
  }
  result.all_quantized = measure_set(sets, check, quantized.back());
  return search;
}

std::vector<bool> choose_set(SetRuns& sets, const SetCheck& check, const SetSearch& search,
                             SensitivityResult& result) {
  ProgressPhase progress("Searching the cheapest set");
  const Choice choice = choose_kept(
      search.costs, search.effects,
      [&](const std::vector<bool>& kept) {
        progress.step();
        std::vector<bool> quantized = kept;
        quantized.flip();
        return passes(sets, check, quantized, search.bound);
      },
      search.most);
  std::vector<bool> quantized = choice.kept;
  quantized.flip();
  SetJudgement judgement(check);
  EffectSums sums(check.reference, true);
  for (size_t i = 0; i < sets.samples(); ++i) {
    const ArrayMap outputs = sets.run(quantized, i);
    judgement.add(outputs);
    sums.add(outputs);
  }
  for (size_t i = 0; i < choice.kept.size(); ++i) result.layers[i].kept = choice.kept[i];
  result.chosen = sums.effect();
  result.answer = judgement.verdict();
  result.found = result.answer.passed();
  result.cheapest = choice.cheapest;
  result.tried += choice.tried;
  return choice.kept;
}

void rank_layers(SensitivityResult& result) {
  std::ranges::stable_sort(result.layers, [](const auto& a, const auto& b) {
    return a.effect > b.effect || (std::isnan(a.effect) && !std::isnan(b.effect));
  });
}

void require_outputs(const ReferenceOutputs& reference) {
  if (reference.names.empty()) {
    throw Error(kNothingToQuantize, "The model has no output in floating point to judge by",
                "Mark one, such as the input of the last ArgMax, as an output.");
  }
  if (has_numbers(reference)) return;
  throw Error(kNothingToQuantize,
              fmt::format("The model in floating point has no number to judge by: output '{}' is "
                          "empty, or has only NaNs and infinities, for all samples",
                          reference.names.front()),
              "Give other inputs.");
}

}  // namespace polygraphy
