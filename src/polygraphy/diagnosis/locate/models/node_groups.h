// Nodes in groups whose tensors fit into memory together.
#pragma once

#include <cstdint>
#include <vector>

#include "polygraphy/diagnosis/locate/models/exploded_model.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

inline constexpr uint64_t kUsualTensorBytes = uint64_t{2} << 30;

// The positions of all nodes, in order, in groups: inputs and outputs of a group take at most
// `budget` bytes, unless one node alone takes more. Parts of `chains` stay together if they fit.
// O(nodes).
std::vector<NodePart> node_groups(const WholeModel& model, const std::vector<NodePart>& chains,
                                  const ValueMap& feed, int64_t samples, uint64_t budget);

}  // namespace polygraphy
