// The verdict on the model as it is: without marked tensors, as `run` runs it.
#pragma once

#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// Runs both sides once, with the model's own outputs, and judges these by noise_floor(). A saved
// side gives the outputs that it has. `feeds`: one per sample. Throws what locate() throws.
Verdict model_verdict(const LocateRun& run, const WholeModel& model,
                      const std::vector<ValueMap>& feeds, Logger& log);

}  // namespace polygraphy
