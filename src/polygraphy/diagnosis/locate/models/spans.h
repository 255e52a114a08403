// Parts of a model between tensors that another model has, too.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

using HasTensor = std::function<bool(const std::string& tensor)>;

// The node at this position with the nodes before it, up to tensors that the other model has and
// inputs. O(nodes of the span).
NodePart span_before(const WholeModel& model, size_t position, const HasTensor& has);

// Nodes with the spans of those that make a tensor which the other model has. O(nodes of all
// spans).
NodePart with_spans(const WholeModel& model, const NodePart& positions, const HasTensor& has);

// The spans of those of the nodes that make a tensor which the other model has, in rounds: spans of
// a round share no node. O(nodes of all spans x rounds).
std::vector<std::vector<NodePart>> span_rounds(const WholeModel& model, const NodePart& positions,
                                               const HasTensor& has);

}  // namespace polygraphy
