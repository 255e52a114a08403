// Searches a minimal set of nodes that must be computed in float32.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// For the job's remedy. `ranked`: positions of all nodes, those to be tried first before others;
// `kept`: those that are in float32 in any case. Evaluates a model that rounds with some nodes left
// out, on the job's runner for noise. Throws what locate() throws.
LocateRemedy find_remedy(const LocateRun& run, const WholeModel& model,
                         const std::vector<ValueMap>& feeds, const std::vector<size_t>& ranked,
                         const std::vector<size_t>& kept, Logger& log);

}  // namespace polygraphy
