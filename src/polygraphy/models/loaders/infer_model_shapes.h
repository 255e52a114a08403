// Shape inference of a loaded model, with messages.
#pragma once

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Infers the model's shapes. Warns of nodes on which that failed: of the first few by name, at
// VERBOSE of all. False: it failed on some.
bool infer_model_shapes(graphsurgeon::Model& model, Logger& log);

}  // namespace polygraphy
