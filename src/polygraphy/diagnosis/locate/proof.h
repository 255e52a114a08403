// Tests whether suspected nodes are guilty, by runs in which results of nodes are given.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// LocateProof::suffices.
bool explains(double worst_with_only_these, double worst_before);

// Runs the target on the model with the reference's results in the place of what these nodes make,
// and looks at the model's outputs. `positions`: ascending, not empty. Throws what locate() throws.
LocateProof prove(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
                  const NodePart& positions, const Measurements& measurements);

// Inputs of a node may seem right by their norms. The target runs again with the reference's
// results of the nodes that are guilty alone: of those that are guilty in place, the ones that are
// right now are victims. The first of the others is guilty; with its results, too, the rest is
// judged again, a few times. No verdict changes where the target cannot run so. `findings`: of all
// nodes, in the order of data. Throws Interrupted.
void acquit_victims(const LocateRun& run, const WholeModel& model,
                    const std::vector<ValueMap>& feeds, const Measurements& measurements,
                    std::vector<NodeFinding>& findings);

}  // namespace polygraphy
