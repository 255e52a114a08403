// The values that the inputs of candidates have in the model before reduction.
#pragma once

#include "polygraphy/data/inputs/candidate_inputs.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"

namespace polygraphy {

// The values on the user's samples. Inputs that cannot be computed, or have another type or shape
// in the candidate, are generated with `options` (logged at VERBOSE). `intermediates` must outlive
// the function.
CandidateInputs recorded_inputs(Intermediates& intermediates, DataLoaderOptions options);

}  // namespace polygraphy
