// The number format by which two results are compared.
#pragma once

#include <optional>

#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// The coarser of both: two results cannot agree better than it permits. nullopt: saved results,
// whose format is not known; the other side's counts alone. float32 without any.
NumberFormat pair_format(std::optional<NumberFormat> one, std::optional<NumberFormat> other);

}  // namespace polygraphy
