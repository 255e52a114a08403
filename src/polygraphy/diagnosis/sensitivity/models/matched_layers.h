// Which layer of a quantised model is which of its reference.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/sensitivity/models/sites.h"

namespace polygraphy {

// The sites of the reference that have a layer in the quantised model, with its weight and the
// nodes that read it. For each site, in this order: the layer of the same name, but for what
// quantisers append to it ("_quant", "_Q4"); at the same place (of the structure, as surgeon diff
// aligns nodes, else in the order of nodes), if its weight is close; with the closest weight; at
// the same place, whatever its weight. Shapes are equal. The axes that the nodes sum along, never
// the values, say whether a matrix lies transposed. Of nodes with one quantised weight, each
// belongs to the site of its name or place. Nodes of both models have names. O(sites x layers),
// with their weights.
std::vector<Site> match_layers(const graphsurgeon::Model& reference, const std::vector<Site>& sites,
                               const graphsurgeon::Model& quantized);

}  // namespace polygraphy
