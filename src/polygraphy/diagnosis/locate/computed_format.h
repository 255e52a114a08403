// What a target computes in by its own account.
#pragma once

#include <optional>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// As its runner says of a model of one node. nullopt: it does not tell, or it is no format here.
// Throws Error, Interrupted.
std::optional<NumberFormat> computed_format(const LocateRun& run, const WholeModel& model);

}  // namespace polygraphy
