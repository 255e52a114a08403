// Nodes that only one part can have together.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// The maker and all readers of a value that is not a tensor, such as a sequence, and all nodes
// between them: such a value is no input of a part.
struct UncutNodes {
  std::string value;
  NodePart nodes;  // consecutive
};

// In the order of the nodes; none is in two of them. `feed` gives the types of inputs. O(model).
std::vector<UncutNodes> uncut_nodes(const WholeModel& model, const ValueMap& feed);

}  // namespace polygraphy
