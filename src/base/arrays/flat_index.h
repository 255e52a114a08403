// Places in arrays: from the flat index in C order to the index along each axis.
#pragma once

#include <cstdint>

#include "base/arrays/array.h"

namespace polygraphy {

// NumPy's unravel_index. No axis of `shape` is 0.
inline Shape unravel_index(int64_t flat, const Shape& shape) {
  Shape index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

}  // namespace polygraphy
