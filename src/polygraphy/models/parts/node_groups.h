// Nodes in groups of tensors that fit into memory together.
#pragma once

#include <cstdint>
#include <vector>

#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

inline constexpr uint64_t kUsualTensorBytes = uint64_t{2} << 30;

struct GroupSize {
  int64_t samples = 1;
  // The most that inputs and outputs of a group may take, unless one node alone takes more.
  uint64_t bytes = kUsualTensorBytes;
  // Each group becomes a model: its weights count, too, and nodes around values that are not
  // tensors stay together.
  bool models = false;
};

// The positions of all nodes in groups, ascending in each; nodes read nothing that later groups
// make. Parts of `chains` stay together if they fit. Throws Error (kNotCut) if nodes that must stay
// together do not fit. O(nodes).
std::vector<NodePart> node_groups(const WholeModel& model, const std::vector<NodePart>& chains,
                                  const ValueMap& feed, const GroupSize& size);

// The chains of several nodes that are in the group as a whole. O(nodes).
std::vector<NodePart> chains_in(const NodePart& group, const std::vector<NodePart>& chains);

}  // namespace polygraphy
