// The noise floor of a model that is prepared already.
#pragma once

#include <memory>

#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// About NoiseFloorJob::quantization of a model without quantised weights, where it has no effect.
inline constexpr const char* kNotQuantized =
    "The model has no quantised weights of a known form, so only the rounding of its number format "
    "counts as noise. "
    "To judge a quantised model, give that one, and the outputs of its float model.";

// noise_floor() without a load of the job's model. All arguments outlive the result.
std::shared_ptr<ResultComparison> noise_floor_of(const WholeModel& model, NoiseFloorJob job,
                                                 RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
