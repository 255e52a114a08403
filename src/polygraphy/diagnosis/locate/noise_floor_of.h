// The noise floor of a model that is prepared already.
#pragma once

#include <memory>

#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// noise_floor() without a load of the job's model. All arguments outlive the result.
std::shared_ptr<ResultComparison> noise_floor_of(const WholeModel& model, NoiseFloorJob job,
                                                 RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
