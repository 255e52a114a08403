// Searches a minimal set of nodes that must be computed in float32.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// For the job's remedy. `ranked`: positions of all nodes, in the order of the search; `kept`: nodes
// that are always in float32. Evaluates a rounding model, without rounding at some nodes, on the
// job's runner for noise. Throws the errors of locate().
LocateRemedy find_remedy(const LocateJob& job, const WholeModel& model,
                         const std::vector<ValueMap>& feeds, const std::vector<size_t>& ranked,
                         const std::vector<size_t>& kept, Logger& log);

}  // namespace polygraphy
