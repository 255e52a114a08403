// Arithmetic on shapes with open dimensions.
#pragma once

#include <optional>

#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {

// Computes the output of a node as far as the known elements of its inputs determine it: records
// the elements in the context, and produces a constant if every element is known. Returns whether
// it did the latter. Only for nodes with one output.
bool fold_partial_values(Node& node, FoldContext& context);

}  // namespace graphsurgeon
