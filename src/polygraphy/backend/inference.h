// What one inference returns.
#pragma once

#include "base/arrays/tensor_map.h"

namespace polygraphy {

struct Inference {
  TensorMap outputs;   // in the back end's order
  double seconds = 0;  // of the runtime's own call
};

}  // namespace polygraphy
