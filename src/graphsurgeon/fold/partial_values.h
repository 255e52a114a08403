// Arithmetic on shapes with open dimensions.
#pragma once

#include <optional>

#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {

// The values of the node's output as far as those of its inputs determine them; nullopt: nothing is
// known.
std::optional<KnownValues> partial_result(const Node& node, FoldContext& context);

// Records the elements of the node's first output in the context, and produces a constant if every
// element is known. Returns whether it did so; only nodes with one output are replaced.
bool settle(Node& node, KnownValues values, FoldContext& context);

}  // namespace graphsurgeon
