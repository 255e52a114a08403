// A group of nodes as a model.
#pragma once

#include <vector>

#include "base/arrays/array_map.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/parts/exploded_model.h"

namespace polygraphy {

// The nodes of a part with the names of the whole model. Inputs: tensors that it reads and does not
// make, with the types and shapes that `values`, by sample, have; short lists of integers that are
// the same in all samples are constants; other inputs of the whole model keep the types that they
// have there if `fed` has them. Outputs: tensors that others read, and the whole model's. Throws
// Error (kNotCut) for other values. O(model).
graphsurgeon::Model part_model(const graphsurgeon::Model& model, const NodePart& part,
                               const std::vector<ArrayMap>& values, const ValueMap& fed = {});

}  // namespace polygraphy
