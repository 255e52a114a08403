// The number format that a target reports.
#pragma once

#include <optional>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// The report of its runner for a model of one node. nullopt: no report, or an unknown format.
// Throws Error, Interrupted.
std::optional<NumberFormat> computed_format(const LocateRun& run, const WholeModel& model);

}  // namespace polygraphy
