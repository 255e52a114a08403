// The values that the inputs of candidates have in the model before reduction.
#pragma once

#include "polygraphy/data/inputs/candidate_inputs.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"

namespace polygraphy {

// Those on the user's samples. What cannot be computed, or
// has another type or shape in the candidate, is generated with `options` (VERBOSE says so).
// `intermediates` must outlive the function.
CandidateInputs recorded_inputs(Intermediates& intermediates, DataLoaderOptions options);

}  // namespace polygraphy
