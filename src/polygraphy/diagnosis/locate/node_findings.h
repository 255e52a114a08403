// Findings on nodes, from the measurements of their tensors.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// For every node of the main graph, in order, without verdicts. For a node with several outputs,
// the one with the largest error. O(nodes).
std::vector<NodeFinding> make_findings(const WholeModel& model, const Measurements& measurements,
                                       const std::vector<NodePart>& chains, NumberFormat format);

}  // namespace polygraphy
