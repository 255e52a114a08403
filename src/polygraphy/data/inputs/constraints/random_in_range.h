// Random values within a range.
#pragma once

#include <optional>

#include "base/arrays/array.h"
#include "numerics/numpy_random.h"
#include "polygraphy/data/inputs/constraints/value_range.h"

namespace polygraphy {

// `wanted`: what the user asked for, narrowed to the range, if both can be met; without it, the
// whole range where it has two ends, [0, 1] where that lies within, else ten whole numbers (or one
// unit) from its end on. What the type cannot hold is cut. Deterministic in the generator's state.
Array random_in_range(NumpyRandom& random, DataType type, const Shape& shape,
                      const ValueRange& range, std::optional<ValueBounds> wanted);

}  // namespace polygraphy
