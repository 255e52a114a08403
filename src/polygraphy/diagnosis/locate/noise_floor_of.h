// The noise floor of a model that is prepared already.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// About NoiseFloorJob::quantization of a model without quantised weights, where it has no effect.
inline constexpr const char* kNotQuantized =
    "The model has no quantised weights of a known form, so only the rounding of its number format "
    "counts as noise. "
    "To judge a quantised model, give that one, and the outputs of its float model.";

struct KnownNoise {
  // Of a tensor for the input of an iteration; null: not known.
  std::function<const ExactWithNoise*(size_t iteration, const std::string& tensor)> of = {};
  // The model does not run for more noise: it is larger than the memory.
  bool is_all = false;
};

// noise_floor() without a load of the job's model. Where `known` has the noise of all tensors that
// an iteration needs, it is not measured. All arguments outlive the result.
std::shared_ptr<ResultComparison> noise_floor_of(const WholeModel& model, NoiseFloorJob job,
                                                 RunnerFactory& factory, Logger& log,
                                                 KnownNoise known = {});

}  // namespace polygraphy
