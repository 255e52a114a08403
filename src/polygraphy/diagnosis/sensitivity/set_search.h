// The cheapest set of layers with which a check accepts the model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "polygraphy/diagnosis/sensitivity/layer_sets.h"
#include "polygraphy/diagnosis/sensitivity/set_judgement.h"

namespace polygraphy {

// The effect of these layers where they are quantised.
OutputEffect effect_of(LayerSets& sets, const SetCheck& check, const std::vector<bool>& quantized);

// How much worse an effect is, by the figure that the check is about: the norm of an error.
double size_of(const OutputEffect& effect, const SensitivityCheck& check);

struct SetSearch {
  std::vector<int64_t> costs;   // of each layer that is kept
  std::vector<double> effects;  // size_of() each layer quantised alone
  int64_t most = 0;             // sets that are tried
  // The largest size_of() a set that is accepted; nullopt: the check alone decides.
  std::optional<double> bound = {};
};

struct ChosenSet {
  std::vector<bool> kept;
  OutputEffect effect;
  Verdict verdict;
  bool cheapest = false;  // every cheaper set was tried
};

ChosenSet search_set(LayerSets& sets, const SetCheck& check, const SetSearch& search);

}  // namespace polygraphy
