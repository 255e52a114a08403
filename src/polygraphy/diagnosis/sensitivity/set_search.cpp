#include "polygraphy/diagnosis/sensitivity/set_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/arrays/convert.h"
#include "base/progress.h"
#include "polygraphy/diagnosis/sensitivity/choose.h"
#include "polygraphy/diagnosis/sensitivity/choose_few.h"

namespace polygraphy {
namespace {

// The differences of a set's outputs; none of many layers, whose search does not read them.
class ListedDifferences {
 public:
  ListedDifferences(const SetCheck& check, size_t layers) {
    if (layers <= kListedLayers) differences_.emplace(check);
  }
  void add(const ArrayMap& outputs) {
    if (differences_) differences_->add(outputs);
  }
  Differences take() { return differences_ ? differences_->take() : Differences(); }

 private:
  std::optional<OutputDifferences> differences_;
};

Trial tried(SetRuns& sets, const SetCheck& check, const std::vector<bool>& quantized,
            const std::optional<double>& bound) {
  SetJudgement judgement(check);
  EffectSums sums(check.reference, true);
  ListedDifferences differences(check, quantized.size());
  for (size_t i = 0; i < sets.samples(); ++i) {
    const ArrayMap outputs = sets.run(quantized, i);
    judgement.add(outputs);
    differences.add(outputs);
    if (judgement.failed()) return {.passed = false, .differences = differences.take()};
    if (bound) sums.add(outputs);
  }
  const bool passed =
      judgement.verdict().passed() && (!bound || size_of(sums.effect(), check.check) <= *bound);
  return {.passed = passed, .differences = differences.take()};
}

// Of `layers`: all but each.
std::vector<Differences> all_but_each(SetRuns& sets, const SetCheck& check, size_t layers) {
  std::vector<Differences> measured;
  for (size_t i = 0; i < layers; ++i) {
    std::vector<bool> quantized(layers, true);
    quantized[i] = false;
    measured.push_back(measure_set(sets, check, quantized).differences);
  }
  return measured;
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

MeasuredSet measure_set(SetRuns& sets, const SetCheck& check, const std::vector<bool>& quantized) {
  EffectSums sums(check.reference, true);
  ListedDifferences differences(check, quantized.size());
  for (size_t i = 0; i < sets.samples(); ++i) {
    const ArrayMap outputs = sets.run(quantized, i);
    sums.add(outputs);
    differences.add(outputs);
  }
  return {.effect = sums.effect(), .differences = differences.take()};
}

// A divergence grows with the square of the error of logits.
double size_of(const OutputEffect& effect, const SensitivityCheck& check) {
  if (!effect.tokens || !decides_by_tokens(check)) return effect.error;
  const double divergence = effect.tokens->divergence;
  return std::isnan(divergence) ? std::numeric_limits<double>::infinity()
                                : std::sqrt(std::max(divergence, 0.0));
}

std::vector<std::vector<bool>> sets_of_one(size_t layers) {
  std::vector<std::vector<bool>> sets(layers, std::vector<bool>(layers, false));
  for (size_t i = 0; i < layers; ++i) sets[i][i] = true;
  return sets;
}

SetSearch measure_each(SetRuns& sets, const SetCheck& check,
                       std::vector<LayerSensitivity>& layers) {
  SetSearch search{.costs = {}, .effects = {}, .most = 0};
  ProgressPhase progress("Quantising layers", std::ssize(layers));
  const std::vector<std::vector<bool>> alone = sets_of_one(layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    LayerSensitivity& layer = layers[i];
    auto [effect, differences] = measure_set(sets, check, alone[i]);
    if (layers.size() <= kListedLayers) search.measured.alone.push_back(std::move(differences));
    layer.effect = effect.error;
    layer.tokens = effect.tokens;
    search.effects.push_back(size_of(effect, check.check));
    search.costs.push_back(std::max<int64_t>(layer.saved(), 0));
    progress.step();
  }
  return search;
}

int64_t usual_sets(size_t layers) {
  return layers <= 9 ? 512 : std::max<int64_t>(64, static_cast<int64_t>(layers) + 16);
}

ChosenSet search_set(SetRuns& sets, const SetCheck& check, SetSearch& search) {
  ProgressPhase progress("Searching the cheapest set");
  const size_t layers = search.costs.size();
  const std::function<Trial(const std::vector<bool>&)> run = [&](const std::vector<bool>& kept) {
    progress.step();
    std::vector<bool> quantized = kept;
    quantized.flip();
    return tried(sets, check, quantized, search.bound);
  };
  Choice choice{.kept = std::vector<bool>(layers, false), .cheapest = true, .tried = 1};
  if (layers > kListedLayers) {
    choice = choose_kept(
        search.costs, search.effects,
        [&](const std::vector<bool>& kept) { return run(kept).passed; }, search.most);
  } else if (!run(choice.kept).passed) {
    // Nothing but the trials of all sets is exact, so more measures are good for few trials only.
    MeasuredSets& measured = search.measured;
    const bool tries_all = (int64_t{1} << layers) <= search.most;
    if (!tries_all && search.measures_all_but && measured.all_but.empty())
      measured.all_but = all_but_each(sets, check, layers);
    choice = choose_few(search.costs, SetPrediction(measured), run, search.most);
  }
  ChosenSet chosen{.kept = choice.kept,
                   .effect = {},
                   .verdict = {},
                   .cheapest = choice.cheapest,
                   .tried = choice.tried};
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

void take_chosen(const ChosenSet& chosen, SensitivityResult& result) {
  for (size_t i = 0; i < chosen.kept.size(); ++i) result.layers[i].kept = chosen.kept[i];
  result.chosen = chosen.effect;
  result.answer = chosen.verdict;
  result.found = chosen.verdict.passed();
  result.cheapest = chosen.cheapest;
  result.tried += chosen.tried;
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
