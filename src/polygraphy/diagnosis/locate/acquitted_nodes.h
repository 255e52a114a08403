// Nodes that seem guilty in place because of others.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Inputs of a node may seem right by their norms. The target runs again with the reference's
// results of the nodes that are guilty alone: of those that are guilty in place, the ones that are
// right now are victims. The first of the others is guilty; with its results, too, the rest is
// judged again, a few times. No verdict changes where the target cannot run so. `findings`: of all
// nodes, in the order of data. Throws Interrupted.
void acquit_victims(const LocateRun& run, const WholeModel& model,
                    const std::vector<ValueMap>& feeds, const Measurements& measurements,
                    std::vector<NodeFinding>& findings);

}  // namespace polygraphy
