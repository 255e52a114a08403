// The number format that a side computes in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// The report of its runner for a model of one node; without a report of a known format, the one
// that the options of the runner request. nullopt: a saved side. Throws Error, Interrupted.
std::optional<NumberFormat> computed_format(const LocateSide& side,
                                            const std::optional<RunnerMaker>& maker,
                                            const WholeModel& model);

// For a job that asks for them: sets the formats of the pair and of the target. Adds a note for
// each side that computes in another format than the requested one. Throws the same.
void ask_formats(LocateRun& run, const WholeModel& model, std::vector<std::string>& notes);

}  // namespace polygraphy
