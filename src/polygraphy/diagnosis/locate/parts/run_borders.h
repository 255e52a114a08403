// Runs a part of a model on both sides as the whole model runs: without marked tensors.
#pragma once

#include <string>
#include <unordered_set>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measure_in_place.h"
#include "polygraphy/diagnosis/locate/parts/side_values.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Only the tensors with these names are outputs, so engines optimise and fuse all nodes between
// them. Throws what locate() throws.
Borders run_borders(const LocateRun& run, const WholeModel& part, const FusedFeeds& feeds,
                    const std::unordered_set<std::string>& names, Logger& log);

}  // namespace polygraphy
