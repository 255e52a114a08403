// Which tensor of a model is which of its reference: of the model before it was quantised, say.
#pragma once

#include <string>
#include <unordered_map>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Names of inputs and results of `model`, to those of `reference` that stand for the same numbers:
// tensors of one name, unless the structure contradicts most names or their nodes are aligned with
// others; results of aligned nodes (graphsurgeon/diff/alignment.h); tensors that aligned nodes read
// in the same slot; outputs in the same place. Both are numbers in floating
// point, or of one type, and have one rank, as far as this is known. One to one. Deterministic;
// O(n log n).
std::unordered_map<std::string, std::string> tensor_partners(const graphsurgeon::Model& reference,
                                                             const graphsurgeon::Model& model);

}  // namespace polygraphy
