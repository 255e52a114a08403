// --override-input-shapes: new shapes for the inputs of a model.
#pragma once

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy::cli {

// As graphsurgeon::override_input_shapes(), by name; inputs that are not mentioned stay as they
// are. INFO: the shapes of all inputs after it. Throws Error for a name that is no tensor, or no
// input.
void override_shapes(graphsurgeon::Model& model, const Metadata& shapes, Logger& log);

}  // namespace polygraphy::cli
