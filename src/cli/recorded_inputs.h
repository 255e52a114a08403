// What the inputs of candidates are given by in-process checks.
#pragma once

#include "polygraphy/inputs/data_loader.h"
#include "polygraphy/model_checks/model_check.h"
#include "polygraphy/reduce/recordings/recordings.h"

namespace polygraphy::cli {

// The values that they have in the whole model on the user's samples. What cannot be computed, or
// has another type or shape in the candidate, is generated with `options` (VERBOSE says so).
// `recordings` must outlive the function.
CandidateInputs recorded_inputs(Recordings& recordings, DataLoaderOptions options);

}  // namespace polygraphy::cli
