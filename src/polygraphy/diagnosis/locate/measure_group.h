// Measures a group of nodes: their errors and noise, in place, alone, and with their neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measurements.h"
#include "polygraphy/diagnosis/locate/models/exploded_model.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// `positions`: nodes of the main graph. `chains`: the parts of several nodes whose nodes are all in
// the group. `feeds`: one per sample. Keeps the reference's values of what the nodes read and make,
// of all samples, while it runs, and one session at a time. Adds to `measurements`. Throws what
// locate() throws.
void measure_group(const LocateRun& run, const WholeModel& model,
                   const std::vector<ValueMap>& feeds, const NodePart& positions,
                   const std::vector<NodePart>& chains, Measurements& measurements, Logger& log);

}  // namespace polygraphy
