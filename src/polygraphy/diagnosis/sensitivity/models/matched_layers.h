// Which layer of a quantised model is which of its reference.
#pragma once

#include <optional>
#include <vector>

#include "polygraphy/diagnosis/sensitivity/models/quantized_sites.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"

namespace polygraphy {

// All layers of a quantised model that read the weight of one site, at least one.
struct MatchedLayer {
  QuantizedLayer layer;           // the first; its weight lies as that of the site
  bool transposed = false;        // in the quantised model, it lies the other way round
  std::vector<size_t> positions;  // of all nodes in the quantised model
};

// For each site of the reference, in this order: the layer of the same name, but for what
// quantisers append to it ("_quant", "_Q4"); at the same place (of the structure, as surgeon diff
// aligns nodes, else in the order of nodes), if its weight is close; with the closest weight; at
// the same place, whatever its weight. Shapes are equal. The axes that the nodes sum along, never
// the values, say whether a matrix lies transposed. Of nodes with one quantised weight, each
// belongs to the site of its name or place. Nodes of both models have names. nullopt: none. O(sites
// x layers), with their weights.
std::vector<std::optional<MatchedLayer>> match_layers(const graphsurgeon::Model& reference,
                                                      const std::vector<Site>& sites,
                                                      const graphsurgeon::Model& quantized);

}  // namespace polygraphy
