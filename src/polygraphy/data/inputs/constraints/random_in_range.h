// Random values within a range.
#pragma once

#include <optional>

#include "base/arrays/array.h"
#include "numerics/numpy_random.h"
#include "polygraphy/data/inputs/constraints/value_range.h"

namespace polygraphy {

// `wanted`: the user's range, narrowed to this range if both overlap. Without it: the whole range
// if it has two ends, [0, 1] if that lies within, else ten whole numbers (or one unit) from its end
// on. The range is clipped to the type. Deterministic in the generator's state.
Array random_in_range(NumpyRandom& random, DataType type, const Shape& shape,
                      const ValueRange& range, std::optional<ValueBounds> wanted);

}  // namespace polygraphy
