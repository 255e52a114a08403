// Tests whether the suspected nodes are guilty.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/measurements.h"
#include "polygraphy/diagnosis/locate/models/exploded_model.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// Runs the target on the model with the reference's results in place of those of these nodes, and
// judges the model's outputs. `positions`: ascending, not empty. Throws the errors of locate().
LocateProof prove(const LocateJob& job, const WholeModel& model, const std::vector<ValueMap>& feeds,
                  const NodePart& positions, const Measurements& measurements);

}  // namespace polygraphy
