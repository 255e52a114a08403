// Tests whether the suspected nodes are guilty.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Runs the target on the model with the reference's results in the place of what these nodes make,
// and looks at the model's outputs. `positions`: ascending, not empty. Throws what locate() throws.
LocateProof prove(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
                  const NodePart& positions, const Measurements& measurements);

}  // namespace polygraphy
