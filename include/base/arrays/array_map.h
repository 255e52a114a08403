// Named arrays in a fixed order: outputs of a runner, the contents of a file.
#pragma once

#include "base/arrays/array.h"
#include "base/ordered_map.h"

namespace polygraphy {

using ArrayMap = OrderedMap<Array>;

}  // namespace polygraphy
