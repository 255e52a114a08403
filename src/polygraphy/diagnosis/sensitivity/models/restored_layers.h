// A quantised model with some of its layers back in floating point.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"

namespace polygraphy {

struct RestoredModel {
  graphsurgeon::Model model;
  std::vector<std::string> left;  // nodes of kept sites whose form is not known: still quantised
};

// `sites`: as match_layers() returns them. The nodes of kept sites compute in floating point with
// the weights and biases of the reference, from what was quantised before them. O(model).
RestoredModel restored_layers(const graphsurgeon::Model& reference, const std::vector<Site>& sites,
                              const graphsurgeon::Model& quantized, const std::vector<bool>& kept);

}  // namespace polygraphy
