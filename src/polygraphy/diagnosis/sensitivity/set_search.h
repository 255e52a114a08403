// The cheapest set of layers with which a check accepts the model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "polygraphy/diagnosis/sensitivity/set_judgement.h"
#include "polygraphy/diagnosis/sensitivity/set_runs.h"

namespace polygraphy {

// How much worse an effect is, by the figure that the check is about: the norm of an error.
double size_of(const OutputEffect& effect, const SensitivityCheck& check);

struct SetSearch {
  std::vector<int64_t> costs;   // of each layer that is kept
  std::vector<double> effects;  // size_of() each layer quantised alone
  int64_t most = 0;             // sets that are tried
  // The largest size_of() a set that is accepted; nullopt: the check alone decides.
  std::optional<double> bound = {};
};

// Quantises each layer of the result alone, and all together: fills their effects. The search for a
// set of them. `most_sets`: as SensitivityJob has it.
SetSearch measure_effects(SetRuns& sets, const SetCheck& check, std::optional<int64_t> most_sets,
                          SensitivityResult& result);

// Chooses the layers of the result that stay in floating point, and measures the others together.
std::vector<bool> choose_set(SetRuns& sets, const SetCheck& check, const SetSearch& search,
                             SensitivityResult& result);

// The largest effect first.
void rank_layers(SensitivityResult& result);
// Throws Error (kNothingToQuantize) if no output can be judged.
void require_outputs(const ReferenceOutputs& reference);

}  // namespace polygraphy
