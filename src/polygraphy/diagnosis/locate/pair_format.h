// The number format by which two results are compared.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// The coarser of both: two results cannot agree better than it permits. nullopt: saved results,
// whose format is not known; the other side's counts alone. float32 without any.
NumberFormat pair_format(std::optional<NumberFormat> one, std::optional<NumberFormat> other);

// The noise of a model by name, if engines compute in `engine`: "float16"; "float32 (float16 in 2
// of 40 results)", where fewer than half of its results (result_formats()) have a coarser format.
std::string format_text(const std::unordered_map<std::string, NumberFormat>& of_results,
                        NumberFormat engine);

}  // namespace polygraphy
