// Metadata of the tensors of a graph.
#pragma once

#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// Kind, type and shape of the variables among `tensors`, in order: of a graph's inputs, those that
// have to be fed (initializers that are listed as inputs have values). For sequences, metadata of
// their items; for optionals, of their contents.
Metadata metadata_of_variables(const std::vector<graphsurgeon::TensorRef>& tensors);

}  // namespace polygraphy
