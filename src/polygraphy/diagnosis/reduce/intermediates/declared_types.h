// Declared types of tensors that shape inference cannot find.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// Types and shapes of tensors of the main graph: inferred, where outputs of If, Loop and Scan are
// taken to be what the bodies declare, if inference and the other bodies do not say otherwise.
// Missing are those of unknown type. Of a Loop, values may have other dimensions in the end than
// are declared. O(model); the model is not touched.
Metadata declared_types(const graphsurgeon::Model& model);

}  // namespace polygraphy
