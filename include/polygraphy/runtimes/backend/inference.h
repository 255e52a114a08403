// The result of one inference.
#pragma once

#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

struct Inference {
  ValueMap outputs;    // in the back end's order
  double seconds = 0;  // duration of the runtime's call
};

}  // namespace polygraphy
