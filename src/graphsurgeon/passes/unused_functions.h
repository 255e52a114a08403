// Local functions that nothing calls.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Removes the functions that neither the main graph nor a function that stays calls. Returns their
// number. O(model).
size_t remove_unused_functions(Model& model);

}  // namespace graphsurgeon
