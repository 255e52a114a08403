// Levels that QuantizeLinear and DynamicQuantizeLinear make of floating-point numbers.
#pragma once

#include <optional>
#include <vector>

#include "polygraphy/diagnosis/locate/judging/step_results.h"

namespace polygraphy {

// As count_flips(): of the levels, and of the zero point that DynamicQuantizeLinear computes.
// Scales are one, one per index of the axis, or one per block. nullopt: they, or zero points, are
// not known, or the results are not integers.
std::optional<Flips> count_level_flips(const graphsurgeon::Node& node, size_t output,
                                       const std::vector<StepInput>& inputs, const Array& reference,
                                       const Array& observed);

}  // namespace polygraphy
