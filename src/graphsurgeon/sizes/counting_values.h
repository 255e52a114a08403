// Sizes of tensors, numbers that are counted up or repeated, and sums over tensors.
#pragma once

#include <string_view>

#include "graphsurgeon/sizes/known_values.h"

namespace graphsurgeon {

ValueFunction counting_function(std::string_view op);

}  // namespace graphsurgeon
