// Other shapes for a model's inputs, by name.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// A shape for an intermediate tensor: it is not an input of the model.
inline constexpr ErrorCode kShapeOfIntermediate{"shape-of-intermediate"};

// As graphsurgeon::override_input_shapes(), by name; inputs that are not mentioned stay as they
// are. INFO: the shapes of all inputs after it. Throws Error for an unknown name, or a tensor that
// is not an input (kShapeOfIntermediate).
void override_shapes(graphsurgeon::Model& model, const Metadata& shapes, Logger& log);

}  // namespace polygraphy
