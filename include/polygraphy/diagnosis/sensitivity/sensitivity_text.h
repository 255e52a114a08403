// Results of find_sensitivity() as text.
#pragma once

#include <string>

#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// Its nodes; where these have several layers of the result, with its weight: "moe (fc1)".
std::string layer_name(const LayerSensitivity& layer, const SensitivityResult& result);

// A table of all layers, that with the largest effect first.
std::string sensitivity_table(const SensitivityResult& result);

// Whether the model has logits, so that effects have figures of tokens.
bool has_tokens(const SensitivityResult& result);

// Which layers stay in floating point, and what that is good for.
std::string sensitivity_summary(const SensitivityResult& result);

}  // namespace polygraphy
