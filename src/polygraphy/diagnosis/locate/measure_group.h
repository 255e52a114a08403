// Measures a group of nodes: their errors and noise, in place, alone, and with their neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/measurements.h"
#include "polygraphy/diagnosis/locate/models/exploded_model.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// `positions`: nodes of the main graph. `chains`: the parts of several nodes whose nodes are all in
// the group. `feeds`: one per sample. While it runs, keeps the reference's values of the nodes'
// inputs and outputs for all samples, and one session at a time. Adds to `measurements`. Throws the
// errors of locate().
void measure_group(const LocateJob& job, const WholeModel& model,
                   const std::vector<ValueMap>& feeds, const NodePart& positions,
                   const std::vector<NodePart>& chains, Measurements& measurements, Logger& log);

}  // namespace polygraphy
