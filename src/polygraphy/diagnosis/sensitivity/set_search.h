// The cheapest set of layers with which a check accepts the model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "polygraphy/diagnosis/sensitivity/set_judgement.h"
#include "polygraphy/diagnosis/sensitivity/set_runs.h"

namespace polygraphy {

// The change of the outputs where these layers are quantised.
OutputEffect measure_set(SetRuns& sets, const SetCheck& check, const std::vector<bool>& quantized);

// How much worse an effect is, by the figure that the check is about: the norm of an error.
double size_of(const OutputEffect& effect, const SensitivityCheck& check);

struct SetSearch {
  std::vector<int64_t> costs;   // of each layer that is kept
  std::vector<double> effects;  // size_of() each layer quantised alone
  int64_t most = 0;             // sets that are tried
  // The largest size_of() a set that is accepted; nullopt: the check alone decides.
  std::optional<double> bound = {};
};

// Each layer alone.
std::vector<std::vector<bool>> sets_of_one(size_t layers);
// Fills the effects of `layers`, each quantised alone, and costs and effects of the search.
SetSearch measure_each(SetRuns& sets, const SetCheck& check, std::vector<LayerSensitivity>& layers);
// All sets of few layers; of many, those that the first set and its reduction take.
int64_t usual_sets(size_t layers);

struct ChosenSet {
  std::vector<bool> kept;
  OutputEffect effect;
  Verdict verdict;
  bool cheapest = false;  // every cheaper set was tried
  int64_t tried = 0;      // sets
};

ChosenSet search_set(SetRuns& sets, const SetCheck& check, const SetSearch& search);

// Into the result, whose layers are in the order of the set's.
void take_chosen(const ChosenSet& chosen, SensitivityResult& result);
// The largest effect first.
void rank_layers(SensitivityResult& result);
// Throws Error (kNothingToQuantize) if no output can be judged.
void require_outputs(const ReferenceOutputs& reference);

}  // namespace polygraphy
