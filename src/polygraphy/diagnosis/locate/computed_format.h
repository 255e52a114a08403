// The number format that a side computes in.
#pragma once

#include <optional>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// The report of its runner for a model of one node; without a report of a known format, the one
// that the options of the runner request. nullopt: a saved side. Throws Error, Interrupted.
std::optional<NumberFormat> computed_format(const LocateSide& side,
                                            const std::optional<RunnerMaker>& maker,
                                            const WholeModel& model);

}  // namespace polygraphy
