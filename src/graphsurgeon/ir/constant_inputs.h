// Constants of old models, which have to be inputs as well.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Lets a model have constants that are not inputs: one of an IR version below 4 gets version 4, and
// its constants are no longer inputs. Runtimes treat both alike, because an input that is also a
// constant replaces values only from version 4 on. O(number of inputs).
void take_constants_from_inputs(Model& model);

}  // namespace graphsurgeon
