// Findings on the nodes of a model, judged by the measurements of their tensors.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Of all nodes of the main graph, in the order of data. `chains`: parts of nodes that engines fuse.
// O(nodes).
std::vector<NodeFinding> judged_findings(const LocateRun& run, const WholeModel& model,
                                         const std::vector<NodePart>& chains,
                                         const Measurements& measurements);

}  // namespace polygraphy
