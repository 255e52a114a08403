// What one inference returns.
#pragma once

#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

struct Inference {
  ValueMap outputs;    // in the back end's order
  double seconds = 0;  // of the runtime's own call
};

}  // namespace polygraphy
