// Arithmetic, comparisons, Where, Cast: element by element, with broadcasting.
#pragma once

#include <string_view>

#include "graphsurgeon/sizes/known_values.h"

namespace graphsurgeon {

ValueFunction elementwise_function(std::string_view op);

}  // namespace graphsurgeon
