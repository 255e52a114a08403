// Measures nodes of a group alone, and with their neighbours, on the reference's values.
#pragma once

#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// `positions`: nodes of the main graph; where the reference ran another model, they run with the
// nodes before them that it does not have. `chains`: the parts of several nodes whose nodes are all
// in the group. Nodes that are right in place do not run: exact there, or within an ordinary noise.
// `values`: those of the reference that the nodes read or make, by sample. Adds to `measurements`,
// which has those in place. Without effect for a target of saved results. Throws what locate()
// throws.
void measure_alone(const LocateRun& run, const WholeModel& model,
                   const std::vector<ArrayMap>& values, const NodePart& positions,
                   const std::vector<NodePart>& chains, Measurements& measurements, Logger& log);

}  // namespace polygraphy
