// Codes of the data loader's errors.
#pragma once

#include "base/error.h"

namespace polygraphy {

// What an input needs that cannot be generated: another range of values, a shape, values as such.
inline constexpr ErrorCode kValueRangeUnsuitable{"value-range-unsuitable"};
inline constexpr ErrorCode kInputShapeUnknown{"input-shape-unknown"};
inline constexpr ErrorCode kInputTypeNotGenerated{"input-type-not-generated"};

}  // namespace polygraphy
