// Operators that make no new numbers.
#pragma once

#include "graphsurgeon/ir/node.h"

namespace polygraphy {

// Whether an operator only moves or chooses numbers.
bool moves_numbers(const graphsurgeon::Node& node);

}  // namespace polygraphy
