// Named arrays in engine order: what feeds a runner and what it returns.
#pragma once

#include "base/array.h"
#include "base/ordered_map.h"

namespace polygraphy {

using TensorMap = OrderedMap<Array>;

}  // namespace polygraphy
