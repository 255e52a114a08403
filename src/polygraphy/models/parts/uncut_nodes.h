// Nodes that must be in one part.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// The maker and all readers of a value that is not a tensor, such as a sequence, and all nodes on
// the paths between them: such a value is not an input of a part.
struct UncutNodes {
  std::string value;
  NodePart nodes;
};

// None of the nodes is in two of them, and of two of them at most one reads of the other.
// Types follow from `feed`. O(model).
std::vector<UncutNodes> uncut_nodes(const WholeModel& model, const ValueMap& feed);

}  // namespace polygraphy
