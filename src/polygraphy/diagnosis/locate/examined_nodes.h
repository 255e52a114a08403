// The nodes of a model, measured and judged.
#pragma once

#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Findings on all nodes of the main graph, judged by what was measured, in the order of data.
// `chains`: those of the whole graph. O(nodes).
std::vector<NodeFinding> judged_findings(const LocateRun& run, const WholeModel& model,
                                         const std::vector<NodePart>& chains,
                                         const Measurements& measurements);

// Findings on all nodes of the main graph, judged, in the order of data; group after group. Adds to
// the measurements. Throws what locate() throws.
std::vector<NodeFinding> examine_nodes(const LocateRun& run, const WholeModel& model,
                                       const std::vector<ValueMap>& feeds,
                                       Measurements& measurements, Logger& log);

// The guilty nodes in the bodies of a node, ranked; of a loop those of the first iteration that has
// any. Empty: it has no bodies, or nothing in them is. Throws the same.
std::vector<NodeFinding> examine_bodies(const LocateRun& run, const WholeModel& model,
                                        const std::vector<ValueMap>& feeds,
                                        const NodeFinding& finding, Logger& log);

}  // namespace polygraphy
