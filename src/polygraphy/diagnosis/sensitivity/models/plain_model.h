// The form of models whose layers are looked for.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Calls are replaced, constants are initializers, nodes are sorted and have names. Throws Error.
// O(model).
graphsurgeon::Model plain_model(graphsurgeon::Model model);

}  // namespace polygraphy
