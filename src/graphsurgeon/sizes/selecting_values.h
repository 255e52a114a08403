// Elements of other tensors in another order or shape: Gather, Slice, Concat, Transpose, Reshape …
#pragma once

#include <string_view>

#include "graphsurgeon/sizes/known_values.h"

namespace graphsurgeon {

ValueFunction selecting_function(std::string_view op);

}  // namespace graphsurgeon
